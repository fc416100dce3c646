<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Slipstream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with language models on your own processor. Slipstream is free software under the Apache License 2.0; it is made of the parts below, each under its own licence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiled in:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They lie in the program&apos;s folder as libraries of their own, in the folders PySide6 and shiboken6: you may replace them by versions that you have changed. Their source is at {qt} and {pyside}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its answer appears here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where each token came from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How this answer was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the answer as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Drop files to attach them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Attach files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text, code, PDF and Word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>{name} does not fit: it is {count} token(s) more than this model has room for. Attach the part that matters.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is a picture, and the models here read text only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not text. Save it as text, PDF or Word (.docx), and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a folder. Attach the files in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} can&apos;t be read: {detail}. Check that it is there and that you may open it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is damaged. Save it anew in its own program, and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is protected by a password. Save a copy without one, and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} holds pictures of pages but no text. Run text recognition on it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is larger than any model can read. Attach the part that matters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} took too long to read. Attach it as plain text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} takes too much memory to read. Attach it as plain text.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the deleted chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “{title}” for good? It can&apos;t be brought back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good? They can&apos;t be brought back.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BusyBar</name>
    <message>
        <source>Show it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{title}” is being answered. You can send this when the answer has ended.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CardBox</name>
    <message>
        <source>The picture is in the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Markdown text is in the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved: {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture, Markdown and JSON (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With prompt and answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The card says nothing of your conversation unless you tick this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A card of this run: what was measured, on which machine, with which models and settings.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatBar</name>
    <message>
        <source>Settings of this chat (Ctrl+.)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{preset} · %n change(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{preset} settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of this chat: {what}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Name of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatDialog</name>
    <message>
        <source>Settings of this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes back everything that was changed for this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most 16 texts of at most 200 characters: the last ones that fitted are in force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A seed is a whole number below 2^63: the last one that was is in force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the last answer&apos;s: {seed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choice of words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the chat, or open and close the section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu of the chat: pin, move to a folder, export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove folder, keep its chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{section}, {chats}, {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}: {snippet}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}, being read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatsPage</name>
    <message>
        <source>How answers are made where a chat has chosen nothing else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These count for every chat that has no value of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChipAdvice</name>
    <message>
        <source>Draft model or block drafter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this pair has none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let Auto decide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose other models…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch {pair}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {pair}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChipPopover</name>
    <message>
        <source>Speculation: {state}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can guess with this pair</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>{processor}, {cores}, {memory}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>speculation: {mode}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First token after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with &amp;plain decoding…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model at the top of the window first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comparison has started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled. What was measured until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another model is being loaded, so the comparison ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The comparison has ended. {told}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the answer in the chat to end…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warming up…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A comparison is running: messages are answered when it has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>On, %n token(s) a draft</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>n-gram only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft model only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block drafter only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First difference at token {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Identical: {count} of {total} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Token for token the same text, in all %n answer(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding wrote {expected}, the other answer {found}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two plain answers differ: this device does not repeat itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This device rounds differently when it checks several tokens at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model&apos;s scores of the two are {margin} apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as fast as plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the speed of plain decoding: slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no faster and no slower than plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one repeat: no spread known</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{least} to {most} in %n repeat(s), median shown</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ended early: %n answer(s) were measured.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The answer is short (%n token(s)): its speed says little.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Other programs took up to {share} of the processor meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speculative} · plain {plain}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompareForm</name>
    <message numerus="yes">
        <source>With the %n message(s) before it</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>As set for the chat: {settings}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer {number} of {total}: {side}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>A prompt to answer twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the comparison (Ctrl+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the comparison; what was measured is kept (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the comparison, or go back to the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the comparison, or leave it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One prompt, answered by plain decoding and with speculation in turn, each time from empty caches. The text should be the same; how much sooner it comes is measured here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CompareResult</name>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Answer started</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The answer failed. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>New folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>Slipstream crashed the last time. A report lies in {file}; it was sent to nobody.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>How this answer was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What would you like to know?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream guesses several words ahead and lets the model check them at once: the same answer, sooner, and all of it on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain how a hash table works, with a short Python example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a table of three sorting algorithms: idea, time, memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rewrite this more clearly: the meeting was held by us on Monday</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message numerus="yes">
        <source>%n earlier message(s) were left out of what the model reads.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Change…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out old messages and continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer reached its length limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation fills what the model can read at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer was interrupted when Slipstream ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer could not be finished.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FetchPage</name>
    <message>
        <source>Models to fetch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome to Slipstream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{stage}: {done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped. What has arrived is kept if it can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream runs language models on this computer. It needs one to begin with; after this download it works without a network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The larger model answers; the smaller one drafts for it, so the answer comes sooner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This model is not on this computer yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Model(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checked by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SHA-256 of the whole file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or, if that fails, {place}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the Python package index</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{factor}× plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rate} of the guesses right</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>Folder of Slipstream&apos;s files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models, chats, settings and the error log lie in this folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The models run on this computer. What you write, what they answer and the files you attach stay here; Slipstream sends none of it anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It uses the network only when you ask for it: to fetch a model, or to look for an update. There is no account, no telemetry and no advertising.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An error is written to the log in the folder above, and to nowhere else.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the next occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the previous occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Gauge</name>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>{numbers} · %n message(s) left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{numbers} · full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{numbers} · nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model reads, in tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>{file} is larger than {size} MB; import a smaller file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} holds no chats of Slipstream; choose a file that Slipstream exported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} was written by another version of Slipstream; update Slipstream.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is damaged, so nothing of it was imported; export it once more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. There was no backup yet, so the list starts empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. You see the backup of {time}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today&apos;s backup of your chats failed. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8; save it as UTF-8 and import it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} holds no text; choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These chats were written by a newer Slipstream; update it or choose another SLIPSTREAM_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program keeps {file} locked; close it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file of your chats is damaged; start Slipstream again, and it restores the last backup.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk failed while {file} was in use; check the disk, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chat no longer exists; start a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats could not be read or written ({reason}); start Slipstream again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream is already running with the chats in {folder}; use its window, or choose another SLIPSTREAM_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full, so your chats can&apos;t be saved; free some space where {folder} lies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream can&apos;t write to {folder}; allow it to, or choose another SLIPSTREAM_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Insight</name>
    <message>
        <source>&amp;Tokens of the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;int accepted text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first token has not come yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passes were recorded for this answer: it is older than this view.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Point at a token, or move with the arrow keys, to see the pass that it came from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl with an arrow key jumps to the next correction.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>No program on this computer opens {address}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream opens only web and mail addresses, so this one was not opened: {address}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show this picture from your computer: {path}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookPage</name>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also with Ctrl and plus, minus or 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect when Slipstream is started again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MachinePage</name>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the model allows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the models run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer leave more of the processor to other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In tokens. A shorter one keeps long chats from taking more memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes effect when the model is loaded again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load it again now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device} (not found)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>The last answer is not saved yet. Close once more to give it up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{problem} Nothing is lost yet: Slipstream tries again each second.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speculation &amp;panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat &amp;list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check for &amp;updates…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Slipstream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageEdit</name>
    <message>
        <source>Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter start a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Edit the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends, Escape cancels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The version so far is kept, with its answers.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageWidget</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a new chat that holds everything up to here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer this plainly and with speculation, and compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBoard</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pass(es)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} h ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} min ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} s ago</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which models answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} — fetch {size}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Pairs</name>
    <message>
        <source>Loading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Speed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens (pieces of words) per second, guessing included: of the last second, and of the whole answer at its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How fast the big model is alone, without guesses. It is measured again and again, by a few passes inside the answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the plain speed was measured last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many tokens each run of the big model gives: right guesses and one of its own. Alone it gives 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right guesses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acceptance rate: guesses that the big model accepted / all guesses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many guesses came from each source, and its share of all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the big model ran to check guesses and add its own token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First token after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time from the request to the first token, reading the prompt included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that the model had to know before it could answer. Reused ones were known from earlier turns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the answer so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of prompt and answer, of those that the model can keep in mind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory in which the models keep what they have read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed of this answer / plain speed. It is shown only when both were measured, over enough tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens per second from the start of the answer to now. The dashed line is the big model alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the first, second, third … guess of a pass was right. A guess counts only if all before it were right, so later ones are worth less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why so many tokens are guessed in a pass, by what was measured: one more guess is made as long as the tokens that it brings on average are worth the time that it takes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send a message: the figures of its answer appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding: one token a pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As fast as plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster than plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slower than plain decoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{accepted} of {drafted}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} reused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} of {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured {ago} in this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured {ago} in an earlier answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>{name} is no picture that can be shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} has too many pixels to be shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is damaged and can&apos;t be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is too large to be shown here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>Right guesses by their position in the pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position {position}: {rate}, {counts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing guessed yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save these settings as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a preset with this name already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name has 1 to 60 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Preview of the card</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and privacy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReasoningBlock</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking… {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>{count} guesses a pass, the most that are made at once here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} guesses a pass, because the switch stands at On.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} guesses a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guesses cost more time here than they save, by what was measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in the text repeats here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding is measured for a moment, to compare with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The drafter is tried again, to see whether it pays now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair has no draft model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pair has no block drafter (DFlash).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time of writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speculation switch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same text without speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many as pay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes, bit for bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not certain on this machine</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RichText</name>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show picture</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sections</name>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Seed</name>
    <message>
        <source>New for each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed as a number</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Selectable</name>
    <message>
        <source>Copy as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the whole message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the link&apos;s address</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SentFiles</name>
    <message>
        <source>Attached: {names}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingWords</name>
    <message>
        <source>A preset of your own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop and say so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the first and the last messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto: drafts as much as pays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On: always drafts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: one token at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeated text only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The draft model only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions that the model reads before the conversation, such as its role or its tone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In tokens, about three quarters of an English word each. The answer ends here at the latest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts that end the answer where they appear, one a line. Write \n for a line break.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the chat gets too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens when the conversation no longer fits into what the model can read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How freely words are chosen. 0 always takes the likeliest; higher is more varied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses among this many of the likeliest tokens only. 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses among the likeliest tokens that together have this probability. 1 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves out tokens less likely than this share of the likeliest one. 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes what was already said, by you or the model, less likely. 1 is off; small models need a little.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes every token that the answer has used less likely, however often. 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes tokens less likely the more often the answer has used them. 0 is off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts several tokens and checks them at once. It changes the speed, never the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens drafted before each check when speculation is on. Auto chooses the length by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts come from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All takes what is likeliest to be right: repeated text first, then the draft model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What suits the model that is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always the likeliest word. The same question gets the same answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some variety, for everyday questions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More variety, for stories and ideas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Little variety, for programs and facts.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDesk</name>
    <message>
        <source>Leave out the oldest messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of this c&amp;hat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsFile</name>
    <message>
        <source>The settings could not be read and are as new. The old file is kept as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings that make no sense were set back: {names}. The file as it was is kept as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings in {file} can&apos;t be read ({reason}): the program&apos;s own are in force.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search keys or actions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The newest %n chat(s) with these words:</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Bin ({count})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the chats that were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats that were deleted in the last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sources</name>
    <message>
        <source>repeated text (n-gram)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DFlash</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Tokens per second over the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now {now}, highest {peak}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plain decoding {plain}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeculationPanel</name>
    <message>
        <source>Speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeedBars</name>
    <message>
        <source>Speed of both sides</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copying</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for another Slipstream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Converting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not available: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speedup is shown once an answer was measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {total} tokens of the prompt are read. The answer begins after that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the prompt… {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{switch} · nothing drafted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{switch} · too short to compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{switch} · not measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model writes one token a pass. Auto and On guess several and check them at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto decodes plainly now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto · off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So far this answer came at {worth} the plain speed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto · off · {worth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding, which was measured at {plain}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StateChip</name>
    <message>
        <source>State of speculation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenPage</name>
    <message>
        <source>Back to chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{number} tokens per pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the tokens, back to the chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenView</name>
    <message>
        <source>Tokens of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next token, and its pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous correction</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>From repeated text (n-gram)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block drafter (DFlash)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bonus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed from text that came before, and accepted by the big model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed by the small draft model, and accepted by the big one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed in one block by the DFlash drafter, and accepted by the big model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The guess was wrong: the big model put its own token in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every guess was right: the big model added one more token in the same pass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was guessed: one pass of the big model for one token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” – {origin}. {meaning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rejected: {guesses}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass {number} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing guessed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Trace</name>
    <message>
        <source>The passes of this answer were recorded by a newer Slipstream: update to see its tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The record of this answer&apos;s passes is damaged: its tokens can&apos;t be shown.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>New &amp;folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats (*.json *.md *.markdown *.txt)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Imported %n chat(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There is no open chat to export; choose one in the list first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export all chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat(s).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown, to read (*.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON, with everything (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} can&apos;t be read ({reason}); choose another file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} could not be written ({reason}); choose another folder.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Attached files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UpdateDialog</name>
    <message>
        <source>Check for updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking whether a newer version is out…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have {version}, the newest version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slipstream {version} came out on {date}; you have {own}.
Get it from {address}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Worth</name>
    <message>
        <source>Nothing was guessed, so every pass was a plain one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was guessed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding was not measured, so there is nothing to compare with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plain decoding has not been measured yet, so there is nothing to compare with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few tokens to compare: a speedup is shown from {count} on.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
