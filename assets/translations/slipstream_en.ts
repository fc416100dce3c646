<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>{name} does not fit: it is {count} token(s) more than this model has room for. Attach the part that matters.</source>
        <translation>
            <numerusform>{name} does not fit: it is {count} token more than this model has room for. Attach the part that matters.</numerusform>
            <numerusform>{name} does not fit: it is {count} tokens more than this model has room for. Attach the part that matters.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n byte</numerusform>
            <numerusform>%n bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} token(s)</source>
        <translation>
            <numerusform>{count} token</numerusform>
            <numerusform>{count} tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message numerus="yes">
        <source>Delete %n chat(s) for good? They can&apos;t be brought back.</source>
        <translation>
            <numerusform>Delete %n chat for good? They can&apos;t be brought back.</numerusform>
            <numerusform>Delete %n chats for good? They can&apos;t be brought back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatBar</name>
    <message numerus="yes">
        <source>{preset} · %n change(s)</source>
        <translation>
            <numerusform>{preset} · %n change</numerusform>
            <numerusform>{preset} · %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n token(s)</source>
        <translation>
            <numerusform>at most %n token</numerusform>
            <numerusform>at most %n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On, %n guess(es) a pass</source>
        <translation>
            <numerusform>On, %n guess a pass</numerusform>
            <numerusform>On, %n guesses a pass</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Token for token the same text, in all %n answer(s).</source>
        <translation>
            <numerusform>Token for token the same text, in all %n answer.</numerusform>
            <numerusform>Token for token the same text, in all %n answers.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{least} to {most} in %n repeat(s), median shown</source>
        <translation>
            <numerusform>{least} to {most} in %n repeat, median shown</numerusform>
            <numerusform>{least} to {most} in %n repeats, median shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ended early: %n answer(s) were measured.</source>
        <translation>
            <numerusform>Ended early: %n answer was measured.</numerusform>
            <numerusform>Ended early: %n answers were measured.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer is short (%n token(s)): its speed says little.</source>
        <translation>
            <numerusform>The answer is short (%n token): its speed says little.</numerusform>
            <numerusform>The answer is short (%n tokens): its speed says little.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CompareForm</name>
    <message numerus="yes">
        <source>With the %n message(s) before it</source>
        <translation>
            <numerusform>With the %n message before it</numerusform>
            <numerusform>With the %n messages before it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>about %n second left</numerusform>
            <numerusform>about %n seconds left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation>
            <numerusform>Answer finished, %n token</numerusform>
            <numerusform>Answer finished, %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DoctorDialog</name>
    <message numerus="yes">
        <source>%n problem(s) found; each line ends with what to do.</source>
        <translation>
            <numerusform>%n problem found; each line ends with what to do.</numerusform>
            <numerusform>%n problems found; each line ends with what to do.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message numerus="yes">
        <source>%n earlier message(s) were left out of what the model reads.</source>
        <translation>
            <numerusform>%n earlier message was left out of what the model reads.</numerusform>
            <numerusform>%n earlier messages were left out of what the model reads.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FetchPage</name>
    <message numerus="yes">
        <source>Model(s)</source>
        <translation>
            <numerusform>Model</numerusform>
            <numerusform>Models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message numerus="yes">
        <source>%n occurrence(s)</source>
        <translation>
            <numerusform>%n occurrence</numerusform>
            <numerusform>%n occurrences</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Gauge</name>
    <message numerus="yes">
        <source>{numbers} · %n message(s) left out</source>
        <translation>
            <numerusform>{numbers} · %n message left out</numerusform>
            <numerusform>{numbers} · %n messages left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GetTab</name>
    <message numerus="yes">
        <source>On the hub: %n result(s)</source>
        <translation>
            <numerusform>On the hub: %n result</numerusform>
            <numerusform>On the hub: %n results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln download(s) a month</source>
        <translation>
            <numerusform>%Ln download a month</numerusform>
            <numerusform>%Ln downloads a month</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>%n second left</numerusform>
            <numerusform>%n seconds left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>%n minute left</numerusform>
            <numerusform>%n minutes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) left</source>
        <translation>
            <numerusform>%n hour left</numerusform>
            <numerusform>%n hours left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pass(es)</source>
        <translation>
            <numerusform>%Ln pass</numerusform>
            <numerusform>%Ln passes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PairingView</name>
    <message numerus="yes">
        <source>Show why %n model(s) do not fit</source>
        <translation>
            <numerusform>Show why %n model does not fit</numerusform>
            <numerusform>Show why %n models do not fit</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message numerus="yes">
        <source>%n guess(es) a pass, the most that are made at once here.</source>
        <translation>
            <numerusform>%n guess a pass, the most that are made at once here.</numerusform>
            <numerusform>%n guesses a pass, the most that are made at once here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass, because the switch stands at On.</source>
        <translation>
            <numerusform>%n guess a pass, because the switch stands at On.</numerusform>
            <numerusform>%n guesses a pass, because the switch stands at On.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</source>
        <translation>
            <numerusform>%n guess a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</numerusform>
            <numerusform>%n guesses a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message numerus="yes">
        <source>The newest %n chat(s) with these words:</source>
        <translation>
            <numerusform>The newest %n chat with these words:</numerusform>
            <numerusform>The newest %n chats with these words:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) found</source>
        <translation>
            <numerusform>%n chat found</numerusform>
            <numerusform>%n chats found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message numerus="yes">
        <source>Imported %n chat(s).</source>
        <translation>
            <numerusform>Imported %n chat.</numerusform>
            <numerusform>Imported %n chats.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat(s).</source>
        <translation>
            <numerusform>Exported %n chat.</numerusform>
            <numerusform>Exported %n chats.</numerusform>
        </translation>
    </message>
</context>
</TS>
