<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Slipstream</source>
        <translation>Über Slipstream</translation>
    </message>
    <message>
        <source>Parts of the program</source>
        <translation>Bestandteile des Programms</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Chat with language models on your own processor. Slipstream is free software under the Apache License 2.0; it is made of the parts below, each under its own licence.</source>
        <translation>Mit Sprachmodellen auf dem eigenen Prozessor chatten. Slipstream ist freie Software unter der Apache-Lizenz 2.0; es besteht aus den Teilen unten, jeder unter seiner eigenen Lizenz.</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>Compiled in:</source>
        <translation>Einkompiliert:</translation>
    </message>
    <message>
        <source>Slipstream uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They lie in the program&apos;s folder as libraries of their own, in the folders PySide6 and shiboken6: you may replace them by versions that you have changed. Their source is at {qt} and {pyside}.</source>
        <translation>Slipstream verwendet Qt und PySide6 unter der GNU Lesser General Public License, Version 3. Sie liegen als eigene Bibliotheken im Ordner des Programms, in den Ordnern PySide6 und shiboken6: Sie dürfen sie durch Fassungen ersetzen, die Sie geändert haben. Ihr Quelltext liegt unter {qt} und {pyside}.</translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Its answer appears here.</source>
        <translation>Hier erscheint seine Antwort.</translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Where each token came from</source>
        <translation>Woher jedes Token kam</translation>
    </message>
    <message>
        <source>How this answer was made</source>
        <translation>Wie diese Antwort entstand</translation>
    </message>
    <message>
        <source>Copy the answer as Markdown</source>
        <translation>Antwort als Markdown kopieren</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Drop files to attach them</source>
        <translation>Dateien hier ablegen, um sie anzuhängen</translation>
    </message>
    <message>
        <source>&amp;Attach files…</source>
        <translation>Dateien &amp;anhängen …</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Text, code, PDF and Word</source>
        <translation>Text, Code, PDF und Word</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>{name} does not fit: it is {count} token(s) more than this model has room for. Attach the part that matters.</source>
        <translation>
            <numerusform>{name} passt nicht: Es ist {count} Token mehr, als dieses Modell Platz hat. Hängen Sie den Teil an, auf den es ankommt.</numerusform>
            <numerusform>{name} passt nicht: Es sind {count} Tokens mehr, als dieses Modell Platz hat. Hängen Sie den Teil an, auf den es ankommt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n Byte</numerusform>
            <numerusform>%n Bytes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} token(s)</source>
        <translation>
            <numerusform>{count} Token</numerusform>
            <numerusform>{count} Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is a picture, and the models here read text only.</source>
        <translation>{name} ist ein Bild, und die Modelle hier lesen nur Text.</translation>
    </message>
    <message>
        <source>{name} is not text. Save it as text, PDF or Word (.docx), and attach that.</source>
        <translation>{name} ist kein Text. Speichern Sie es als Text, PDF oder Word (.docx), und hängen Sie das an.</translation>
    </message>
    <message>
        <source>{name} is a folder. Attach the files in it.</source>
        <translation>{name} ist ein Ordner. Hängen Sie die Dateien darin an.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read: {detail}. Check that it is there and that you may open it.</source>
        <translation>{name} lässt sich nicht lesen: {detail}. Prüfen Sie, ob die Datei da ist und Sie sie öffnen dürfen.</translation>
    </message>
    <message>
        <source>{name} is damaged. Save it anew in its own program, and attach that.</source>
        <translation>{name} ist beschädigt. Speichern Sie die Datei in ihrem eigenen Programm neu, und hängen Sie sie dann an.</translation>
    </message>
    <message>
        <source>{name} is protected by a password. Save a copy without one, and attach that.</source>
        <translation>{name} ist durch ein Passwort geschützt. Speichern Sie eine Kopie ohne Passwort, und hängen Sie diese an.</translation>
    </message>
    <message>
        <source>{name} holds pictures of pages but no text. Run text recognition on it first.</source>
        <translation>{name} enthält Bilder von Seiten, aber keinen Text. Lassen Sie zuerst eine Texterkennung darüberlaufen.</translation>
    </message>
    <message>
        <source>{name} is larger than any model can read. Attach the part that matters.</source>
        <translation>{name} ist größer, als irgendein Modell lesen kann. Hängen Sie den Teil an, auf den es ankommt.</translation>
    </message>
    <message>
        <source>{name} took too long to read. Attach it as plain text.</source>
        <translation>{name} zu lesen dauerte zu lange. Hängen Sie es als reinen Text an.</translation>
    </message>
    <message>
        <source>{name} takes too much memory to read. Attach it as plain text.</source>
        <translation>{name} zu lesen braucht zu viel Speicher. Hängen Sie es als reinen Text an.</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Bin</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>Gelöschte Chats</translation>
    </message>
    <message>
        <source>Text of the deleted chat</source>
        <translation>Text des gelöschten Chats</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>Endgültig löschen …</translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation>Papierkorb leeren …</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>Delete “{title}” for good? It can&apos;t be brought back.</source>
        <translation>„{title}“ endgültig löschen? Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good? They can&apos;t be brought back.</source>
        <translation>
            <numerusform>%n Chat endgültig löschen? Das lässt sich nicht rückgängig machen.</numerusform>
            <numerusform>%n Chats endgültig löschen? Das lässt sich nicht rückgängig machen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days.</source>
        <translation>Gelöschte Chats bleiben 30 Tage hier.</translation>
    </message>
    <message>
        <source>The bin is empty. A chat that you delete stays here for 30 days, and can be restored.</source>
        <translation>Der Papierkorb ist leer. Ein gelöschter Chat bleibt 30 Tage hier und lässt sich wiederherstellen.</translation>
    </message>
</context>
<context>
    <name>BusyBar</name>
    <message>
        <source>Show it</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>“{title}” is being answered. You can send this when the answer has ended.</source>
        <translation>„{title}“ wird gerade beantwortet. Sie können dies senden, sobald die Antwort fertig ist.</translation>
    </message>
</context>
<context>
    <name>CardBox</name>
    <message>
        <source>The picture is in the clipboard.</source>
        <translation>Das Bild ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The Markdown text is in the clipboard.</source>
        <translation>Der Markdown-Text ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Saved: {files}</source>
        <translation>Gespeichert: {files}</translation>
    </message>
    <message>
        <source>Picture, Markdown and JSON (*.png)</source>
        <translation>Bild, Markdown und JSON (*.png)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Save the card</source>
        <translation>Karte speichern</translation>
    </message>
    <message>
        <source>With prompt and answer</source>
        <translation>Mit Prompt und Antwort</translation>
    </message>
    <message>
        <source>The card says nothing of your conversation unless you tick this.</source>
        <translation>Die Karte sagt nichts über Ihr Gespräch, solange Sie hier kein Häkchen setzen.</translation>
    </message>
    <message>
        <source>Colours of the card</source>
        <translation>Farben der Karte</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>Farben des Fensters</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Share it</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <source>A card of this run: what was measured, on which machine, with which models and settings.</source>
        <translation>Eine Karte dieses Laufs: was gemessen wurde, auf welchem Rechner, mit welchen Modellen und Einstellungen.</translation>
    </message>
</context>
<context>
    <name>ChatBar</name>
    <message>
        <source>Settings of this chat (Ctrl+.)</source>
        <translation>Einstellungen dieses Chats (Strg+.)</translation>
    </message>
    <message numerus="yes">
        <source>{preset} · %n change(s)</source>
        <translation>
            <numerusform>{preset} · %n Änderung</numerusform>
            <numerusform>{preset} · %n Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{preset} settings</source>
        <translation>Einstellungen: {preset}</translation>
    </message>
    <message>
        <source>Settings of this chat: {what}</source>
        <translation>Einstellungen dieses Chats: {what}</translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Name of the folder</source>
        <translation>Name des Ordners</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>Titel des Chats</translation>
    </message>
</context>
<context>
    <name>ChatDialog</name>
    <message>
        <source>Settings of this chat</source>
        <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Takes back everything that was changed for this chat</source>
        <translation>Nimmt alles zurück, was für diesen Chat geändert wurde</translation>
    </message>
    <message>
        <source>At most 16 texts of at most 200 characters: the last ones that fitted are in force.</source>
        <translation>Höchstens 16 Texte mit höchstens 200 Zeichen: Die letzten, die passten, gelten.</translation>
    </message>
    <message>
        <source>A seed is a whole number below 2^63: the last one that was is in force.</source>
        <translation>Ein Startwert ist eine ganze Zahl unter 2^63: Der letzte, der das war, gilt.</translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation>Das ist zu lang: Was zuvor passte, gilt.</translation>
    </message>
    <message>
        <source>Use the last answer&apos;s: {seed}</source>
        <translation>Den der letzten Antwort nehmen: {seed}</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Choice of words</source>
        <translation>Wortwahl</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Conversations</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Open the chat, or open and close the section</source>
        <translation>Chat öffnen, oder Abschnitt auf- und zuklappen</translation>
    </message>
    <message>
        <source>Close the section</source>
        <translation>Abschnitt zuklappen</translation>
    </message>
    <message>
        <source>Open the section</source>
        <translation>Abschnitt aufklappen</translation>
    </message>
    <message>
        <source>Menu of the chat: pin, move to a folder, export</source>
        <translation>Menü des Chats: anheften, in einen Ordner verschieben, exportieren</translation>
    </message>
    <message>
        <source>Remove folder, keep its chats</source>
        <translation>Ordner entfernen, Chats behalten</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>Out of its folder</source>
        <translation>Aus dem Ordner nehmen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>aufgeklappt</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>zugeklappt</translation>
    </message>
    <message>
        <source>{section}, {chats}, {state}</source>
        <translation>{section}, {chats}, {state}</translation>
    </message>
    <message>
        <source>{title}: {snippet}</source>
        <translation>{title}: {snippet}</translation>
    </message>
    <message>
        <source>{title}, being read</source>
        <translation>{title}, wird gelesen</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>{title} (branch)</source>
        <translation>{title} (Zweig)</translation>
    </message>
</context>
<context>
    <name>ChatsPage</name>
    <message>
        <source>How answers are made where a chat has chosen nothing else.</source>
        <translation>Wie geantwortet wird, wo ein Chat nichts anderes festlegt.</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>These count for every chat that has no value of its own.</source>
        <translation>Dies gilt für jeden Chat, der keinen eigenen Wert hat.</translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation>Das ist zu lang: Was zuvor passte, gilt.</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
<context>
    <name>ChipAdvice</name>
    <message>
        <source>Draft model or trained drafter</source>
        <translation>Entwurfsmodell oder trainierter Drafter</translation>
    </message>
    <message>
        <source>this pair has none</source>
        <translation>hat dieses Paar nicht</translation>
    </message>
    <message>
        <source>Let Auto decide</source>
        <translation>Auto entscheiden lassen</translation>
    </message>
    <message>
        <source>Choose models…</source>
        <translation>Modelle wählen …</translation>
    </message>
    <message>
        <source>Show all figures</source>
        <translation>Alle Zahlen zeigen</translation>
    </message>
    <message>
        <source>Find a draft for this model…</source>
        <translation>Entwurfsmodell für dieses Modell suchen …</translation>
    </message>
    <message>
        <source>Fetch {pair}</source>
        <translation>{pair} holen</translation>
    </message>
    <message>
        <source>Use {pair}</source>
        <translation>{pair} verwenden</translation>
    </message>
</context>
<context>
    <name>ChipPopover</name>
    <message>
        <source>Speculation: {state}</source>
        <translation>Spekulation: {state}</translation>
    </message>
    <message>
        <source>What can guess with this pair</source>
        <translation>Was bei diesem Paar vermuten kann</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>CodeText</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>{processor}, {cores}, {memory}</source>
        <translation>{processor}, {cores}, {memory}</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n Kern</numerusform>
            <numerusform>%n Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n token(s)</source>
        <translation>
            <numerusform>höchstens %n Token</numerusform>
            <numerusform>höchstens %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>speculation: {mode}</source>
        <translation>Spekulation: {mode}</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Tokens je Sekunde</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>Erstes Token nach</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Compare with &amp;plain decoding…</source>
        <translation>Mit einfachem &amp;Dekodieren vergleichen …</translation>
    </message>
    <message>
        <source>Choose a model at the top of the window first.</source>
        <translation>Wählen Sie zuerst oben im Fenster ein Modell.</translation>
    </message>
    <message>
        <source>The comparison has started</source>
        <translation>Der Vergleich hat begonnen</translation>
    </message>
    <message>
        <source>Cancelled. What was measured until then is kept.</source>
        <translation>Abgebrochen. Was bis dahin gemessen wurde, bleibt.</translation>
    </message>
    <message>
        <source>Another model is being loaded, so the comparison ended.</source>
        <translation>Ein anderes Modell wird geladen, deshalb endete der Vergleich.</translation>
    </message>
    <message>
        <source>The comparison has ended. {told}</source>
        <translation>Der Vergleich ist fertig. {told}</translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation>Wartet, bis das Modell geladen ist …</translation>
    </message>
    <message>
        <source>Waiting for the answer in the chat to end…</source>
        <translation>Wartet, bis die Antwort im Chat fertig ist …</translation>
    </message>
    <message>
        <source>Warming up…</source>
        <translation>Läuft sich warm …</translation>
    </message>
    <message>
        <source>A comparison is running: messages are answered when it has ended.</source>
        <translation>Ein Vergleich läuft: Nachrichten werden beantwortet, wenn er fertig ist.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Waiting for the comparison to end…</source>
        <translation>Wartet, bis der Vergleich fertig ist …</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>Plain decoding</source>
        <translation>Einfaches Dekodieren</translation>
    </message>
    <message>
        <source>With speculation</source>
        <translation>Mit Spekulation</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message numerus="yes">
        <source>On, %n guess(es) a pass</source>
        <translation>
            <numerusform>An, %n Vermutung je Durchlauf</numerusform>
            <numerusform>An, %n Vermutungen je Durchlauf</numerusform>
        </translation>
    </message>
    <message>
        <source>n-gram only</source>
        <translation>nur n-Gramme</translation>
    </message>
    <message>
        <source>Draft model only</source>
        <translation>Nur Entwurfsmodell</translation>
    </message>
    <message>
        <source>Trained drafter only</source>
        <translation>Nur trainierter Drafter</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>Präsenzstrafe</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>Häufigkeitsstrafe</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>Temperatur {value}</translation>
    </message>
    <message>
        <source>seed {value}</source>
        <translation>Startwert {value}</translation>
    </message>
    <message>
        <source>First difference at token {place}</source>
        <translation>Erster Unterschied bei Token {place}</translation>
    </message>
    <message>
        <source>Identical: {count} of {total} tokens</source>
        <translation>Gleich: {count} von {total} Tokens</translation>
    </message>
    <message numerus="yes">
        <source>Token for token the same text, in all %n answer(s).</source>
        <translation>
            <numerusform>Token für Token derselbe Text, in der einen Antwort.</numerusform>
            <numerusform>Token für Token derselbe Text, in allen %n Antworten.</numerusform>
        </translation>
    </message>
    <message>
        <source>the end</source>
        <translation>das Ende</translation>
    </message>
    <message>
        <source>Plain decoding wrote {expected}, the other answer {found}.</source>
        <translation>Einfaches Dekodieren schrieb {expected}, die andere Antwort {found}.</translation>
    </message>
    <message>
        <source>Two plain answers differ: this device does not repeat itself.</source>
        <translation>Zwei einfache Antworten unterscheiden sich: Dieses Gerät wiederholt sich nicht genau.</translation>
    </message>
    <message>
        <source>This device rounds differently when it checks several tokens at once.</source>
        <translation>Dieses Gerät rundet anders, wenn es mehrere Tokens auf einmal prüft.</translation>
    </message>
    <message>
        <source>The model&apos;s scores of the two are {margin} apart.</source>
        <translation>Die Bewertungen des Modells für die beiden liegen {margin} auseinander.</translation>
    </message>
    <message>
        <source>as fast as plain decoding</source>
        <translation>so schnell wie einfaches Dekodieren</translation>
    </message>
    <message>
        <source>the speed of plain decoding: slower</source>
        <translation>der Geschwindigkeit einfachen Dekodierens: langsamer</translation>
    </message>
    <message>
        <source>no faster and no slower than plain decoding</source>
        <translation>nicht schneller und nicht langsamer als einfaches Dekodieren</translation>
    </message>
    <message>
        <source>one repeat: no spread known</source>
        <translation>eine Wiederholung: Streuung unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>{least} to {most} in %n repeat(s), median shown</source>
        <translation>
            <numerusform>{least} bis {most} in %n Wiederholung, Median gezeigt</numerusform>
            <numerusform>{least} bis {most} in %n Wiederholungen, Median gezeigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ended early: %n answer(s) were measured.</source>
        <translation>
            <numerusform>Vorzeitig beendet: %n Antwort wurde gemessen.</numerusform>
            <numerusform>Vorzeitig beendet: %n Antworten wurden gemessen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was drafted: both did the same work, and the difference is chance.</source>
        <translation>Nichts wurde vermutet: Beide taten dieselbe Arbeit, und der Unterschied ist Zufall.</translation>
    </message>
    <message numerus="yes">
        <source>The answer is short (%n token(s)): its speed says little.</source>
        <translation>
            <numerusform>Die Antwort ist kurz (%n Token): Ihre Geschwindigkeit sagt wenig.</numerusform>
            <numerusform>Die Antwort ist kurz (%n Tokens): Ihre Geschwindigkeit sagt wenig.</numerusform>
        </translation>
    </message>
    <message>
        <source>Other programs took up to {share} of the processor meanwhile.</source>
        <translation>Andere Programme nahmen währenddessen bis zu {share} des Prozessors.</translation>
    </message>
    <message>
        <source>{speculative} · plain {plain}</source>
        <translation>{speculative} · einfach {plain}</translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation>Tokens je Durchlauf</translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation>Ganze Antwort</translation>
    </message>
    <message>
        <source>Right guesses</source>
        <translation>Richtige Vermutungen</translation>
    </message>
</context>
<context>
    <name>CompareForm</name>
    <message numerus="yes">
        <source>With the %n message(s) before it</source>
        <translation>
            <numerusform>Mit der %n Nachricht davor</numerusform>
            <numerusform>Mit den %n Nachrichten davor</numerusform>
        </translation>
    </message>
    <message>
        <source>As set for the chat: {settings}</source>
        <translation>Wie für den Chat eingestellt: {settings}</translation>
    </message>
    <message>
        <source>Answer {number} of {total}: {side}</source>
        <translation>Antwort {number} von {total}: {side}</translation>
    </message>
    <message>
        <source>reading the prompt, {share}</source>
        <translation>liest den Prompt, {share}</translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>noch etwa %n Sekunde</numerusform>
            <numerusform>noch etwa %n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>noch etwa %n Minute</numerusform>
            <numerusform>noch etwa %n Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>What should be answered by both?</source>
        <translation>Was soll auf beide Arten beantwortet werden?</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Start the comparison (Ctrl+Enter)</source>
        <translation>Vergleich beginnen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>End the comparison; what was measured is kept (Esc)</source>
        <translation>Vergleich beenden; was gemessen wurde, bleibt (Esc)</translation>
    </message>
    <message>
        <source>Start the comparison</source>
        <translation>Vergleich beginnen</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>Höchstens Tokens</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Back to chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
    <message>
        <source>End the comparison, or leave it</source>
        <translation>Vergleich beenden oder verlassen</translation>
    </message>
    <message>
        <source>One prompt, answered by plain decoding and with speculation in turn, each time from empty caches. The text should be the same; how much sooner it comes is measured here.</source>
        <translation>Ein Prompt, abwechselnd durch einfaches Dekodieren und mit Spekulation beantwortet, jedes Mal mit leeren Zwischenspeichern. Der Text sollte derselbe sein; wie viel früher er kommt, wird hier gemessen.</translation>
    </message>
</context>
<context>
    <name>CompareResult</name>
    <message>
        <source>Verdict</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files (Ctrl+O)</source>
        <translation>Dateien anhängen (Strg+O)</translation>
    </message>
    <message>
        <source>Pasted text.txt</source>
        <translation>Eingefügter Text.txt</translation>
    </message>
    <message>
        <source>What you pasted</source>
        <translation>Das Eingefügte</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Antwort anhalten (Esc)</translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation>Nachricht senden (Eingabe)</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Answer started</source>
        <translation>Antwort begonnen</translation>
    </message>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation>
            <numerusform>Antwort fertig, %n Token</numerusform>
            <numerusform>Antwort fertig, %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>The answer failed. {reason}</source>
        <translation>Die Antwort ist gescheitert. {reason}</translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation>Wartet, bis das Modell geladen ist …</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>Slipstream crashed the last time. A report lies in {file}; it was sent to nobody.</source>
        <translation>Slipstream ist beim letzten Mal abgestürzt. Ein Bericht liegt in {file}; er wurde niemandem geschickt.</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>About this model</source>
        <translation>Über dieses Modell</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>How this answer was made</source>
        <translation>Wie diese Antwort entstand</translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation>Richtige Vermutungen nach Position</translation>
    </message>
    <message>
        <source>Show the tokens</source>
        <translation>Tokens zeigen</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>DoctorDialog</name>
    <message>
        <source>Check this computer</source>
        <translation>Diesen Computer prüfen</translation>
    </message>
    <message>
        <source>Looking… The last check loads the starter model, which takes a while.</source>
        <translation>Sieht nach … Die letzte Prüfung lädt das Startmodell, was eine Weile dauert.</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) found; each line ends with what to do.</source>
        <translation>
            <numerusform>%n Problem gefunden; jede Zeile endet damit, was zu tun ist.</numerusform>
            <numerusform>%n Probleme gefunden; jede Zeile endet damit, was zu tun ist.</numerusform>
        </translation>
    </message>
    <message>
        <source>No problem was found.</source>
        <translation>Kein Problem gefunden.</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What would you like to know?</source>
        <translation>Was möchten Sie wissen?</translation>
    </message>
    <message>
        <source>Explain how a hash table works, with a short Python example</source>
        <translation>Erkläre mit einem kurzen Python-Beispiel, wie eine Hashtabelle funktioniert</translation>
    </message>
    <message>
        <source>Make a table of three sorting algorithms: idea, time, memory</source>
        <translation>Mache eine Tabelle mit drei Sortierverfahren: Idee, Zeit, Speicher</translation>
    </message>
    <message>
        <source>Rewrite this more clearly: the meeting was held by us on Monday</source>
        <translation>Formuliere das klarer: Die Durchführung der Sitzung erfolgte am Montag</translation>
    </message>
    <message>
        <source>Slipstream guesses several words ahead, and the model checks them all at once.</source>
        <translation>Slipstream vermutet mehrere Wörter im Voraus, und das Modell prüft sie alle auf einmal.</translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message numerus="yes">
        <source>%n earlier message(s) were left out of what the model reads.</source>
        <translation>
            <numerusform>%n frühere Nachricht wurde aus dem weggelassen, was das Modell liest.</numerusform>
            <numerusform>%n frühere Nachrichten wurden aus dem weggelassen, was das Modell liest.</numerusform>
        </translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation>Das Modell gab keine Antwort.</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Leave out old messages and continue</source>
        <translation>Alte Nachrichten weglassen und fortsetzen</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>The answer reached its length limit.</source>
        <translation>Die Antwort hat ihre größte Länge erreicht.</translation>
    </message>
    <message>
        <source>The conversation fills what the model can read at once.</source>
        <translation>Das Gespräch füllt, was das Modell auf einmal lesen kann.</translation>
    </message>
    <message>
        <source>This answer was interrupted when Slipstream ended.</source>
        <translation>Diese Antwort wurde unterbrochen, als Slipstream endete.</translation>
    </message>
    <message>
        <source>This answer could not be finished.</source>
        <translation>Diese Antwort konnte nicht beendet werden.</translation>
    </message>
</context>
<context>
    <name>FactsBeside</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwurfsmodelle</translation>
    </message>
    <message>
        <source>about {needed} alone with {tokens} tokens, {free} is free</source>
        <translation>etwa {needed} allein mit {tokens} Tokens, {free} sind frei</translation>
    </message>
    <message>
        <source>none known; repeated text is still guessed</source>
        <translation>keines bekannt; wiederholter Text wird trotzdem vermutet</translation>
    </message>
    <message>
        <source>{draft} (to fetch)</source>
        <translation>{draft} (zu holen)</translation>
    </message>
</context>
<context>
    <name>FetchDesk</name>
    <message>
        <source>Some models were still being fetched when Slipstream ended.</source>
        <translation>Einige Modelle wurden noch geholt, als Slipstream endete.</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>Warteschlange zeigen</translation>
    </message>
    <message>
        <source>{model} is ready.</source>
        <translation>{model} ist bereit.</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>{model} could not be fetched.</source>
        <translation>{model} ließ sich nicht holen.</translation>
    </message>
    <message>
        <source>No keyring is there to keep the token: it holds until Slipstream ends.</source>
        <translation>Es gibt keinen Schlüsselbund für das Zugriffstoken: Es gilt, bis Slipstream endet.</translation>
    </message>
</context>
<context>
    <name>FetchPage</name>
    <message>
        <source>Models to fetch</source>
        <translation>Modelle zum Holen</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>{what} holen</translation>
    </message>
    <message>
        <source>Welcome to Slipstream</source>
        <translation>Willkommen bei Slipstream</translation>
    </message>
    <message>
        <source>{stage}: {done} of {total}</source>
        <translation>{stage}: {done} von {total}</translation>
    </message>
    <message>
        <source>Stopped. What has arrived is kept if it can be used.</source>
        <translation>Angehalten. Was angekommen ist, bleibt, soweit es brauchbar ist.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an …</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Slipstream runs language models on this computer. It needs one to begin with; after this download it works without a network.</source>
        <translation>Slipstream lässt Sprachmodelle auf diesem Computer laufen. Für den Anfang braucht es eines; nach diesem Herunterladen arbeitet es ohne Netz.</translation>
    </message>
    <message>
        <source>The larger model answers; the smaller one drafts for it, so the answer comes sooner.</source>
        <translation>Das größere Modell antwortet; das kleinere entwirft für es, damit die Antwort früher kommt.</translation>
    </message>
    <message>
        <source>This model is not on this computer yet.</source>
        <translation>Dieses Modell ist noch nicht auf diesem Computer.</translation>
    </message>
    <message numerus="yes">
        <source>Model(s)</source>
        <translation>
            <numerusform>Modell</numerusform>
            <numerusform>Modelle</numerusform>
        </translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Checked by</source>
        <translation>Geprüft durch</translation>
    </message>
    <message>
        <source>SHA-256 of the whole file</source>
        <translation>SHA-256 der ganzen Datei</translation>
    </message>
    <message>
        <source>or, if that fails, {place}</source>
        <translation>oder, falls das scheitert, {place}</translation>
    </message>
    <message>
        <source>Slipstream&apos;s own files</source>
        <translation>Slipstreams eigene Dateien</translation>
    </message>
    <message>
        <source>the Python package index</source>
        <translation>dem Python-Paketindex</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset: {name}</source>
        <translation>Zurücksetzen: {name}</translation>
    </message>
    <message>
        <source>Back to {value}</source>
        <translation>Zurück auf {value}</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{factor}× plain decoding</source>
        <translation>{factor}× einfaches Dekodieren</translation>
    </message>
    <message>
        <source>{rate} of the guesses right</source>
        <translation>{rate} der Vermutungen richtig</translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>Folder of Slipstream&apos;s files</source>
        <translation>Ordner von Slipstreams Dateien</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Models, chats, settings and the error log lie in this folder:</source>
        <translation>Modelle, Chats, Einstellungen und das Fehlerprotokoll liegen in diesem Ordner:</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privatsphäre</translation>
    </message>
    <message>
        <source>The models run on this computer. What you write, what they answer and the files you attach stay here; Slipstream sends none of it anywhere.</source>
        <translation>Die Modelle laufen auf diesem Computer. Was Sie schreiben, was sie antworten und die Dateien, die Sie anhängen, bleiben hier; Slipstream schickt nichts davon irgendwohin.</translation>
    </message>
    <message>
        <source>It uses the network only when you ask for it: to fetch a model, or to look for an update. There is no account, no telemetry and no advertising.</source>
        <translation>Das Netz wird nur benutzt, wenn Sie es verlangen: um ein Modell zu holen oder nach einer neuen Version zu sehen. Es gibt kein Konto, keine Telemetrie und keine Werbung.</translation>
    </message>
    <message>
        <source>An error is written to the log in the folder above, and to nowhere else.</source>
        <translation>Ein Fehler wird ins Protokoll im Ordner oben geschrieben, und nirgendwo sonst hin.</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>{number} of {all}</source>
        <translation>{number} von {all}</translation>
    </message>
    <message numerus="yes">
        <source>%n occurrence(s)</source>
        <translation>
            <numerusform>%n Fundstelle</numerusform>
            <numerusform>%n Fundstellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Find the next occurrence</source>
        <translation>Nächste Fundstelle suchen</translation>
    </message>
    <message>
        <source>Find the previous occurrence</source>
        <translation>Vorige Fundstelle suchen</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Vorige</translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation>Vorige Fundstelle</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächste</translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation>Nächste Fundstelle</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Suche schließen</translation>
    </message>
</context>
<context>
    <name>Gauge</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} von {limit} Tokens</translation>
    </message>
    <message numerus="yes">
        <source>{numbers} · %n message(s) left out</source>
        <translation>
            <numerusform>{numbers} · %n Nachricht weggelassen</numerusform>
            <numerusform>{numbers} · %n Nachrichten weggelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>{numbers} · full</source>
        <translation>{numbers} · voll</translation>
    </message>
    <message>
        <source>{numbers} · nearly full</source>
        <translation>{numbers} · fast voll</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Conversation so far</source>
        <translation>Bisheriges Gespräch</translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation>Angehängte Dateien</translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation>Was Sie gerade schreiben</translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation>Platz für die Antwort</translation>
    </message>
    <message>
        <source>What the model reads, in tokens</source>
        <translation>Was das Modell liest, in Tokens</translation>
    </message>
</context>
<context>
    <name>GetTab</name>
    <message>
        <source>Models to get</source>
        <translation>Modelle zum Holen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>Search the hub</source>
        <translation>Im Hub suchen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message numerus="yes">
        <source>On the hub: %n result(s)</source>
        <translation>
            <numerusform>Im Hub: %n Treffer</numerusform>
            <numerusform>Im Hub: %n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>Pairs that Slipstream knows</source>
        <translation>Paare, die Slipstream kennt</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>Noch nicht</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>In the queue</source>
        <translation>In der Warteschlange</translation>
    </message>
    <message numerus="yes">
        <source>%Ln download(s) a month</source>
        <translation>
            <numerusform>%Ln Abruf im Monat</numerusform>
            <numerusform>%Ln Abrufe im Monat</numerusform>
        </translation>
    </message>
    <message>
        <source>asks for consent</source>
        <translation>verlangt Zustimmung</translation>
    </message>
    <message>
        <source>Does not run</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>On the hub</source>
        <translation>Im Hub</translation>
    </message>
    <message>
        <source>The hub has no model called “{name}”.</source>
        <translation>Der Hub hat kein Modell namens „{name}“.</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
    <message>
        <source>Choose a model to read about it.</source>
        <translation>Ein Modell auswählen, um mehr darüber zu lesen.</translation>
    </message>
    <message>
        <source>The larger model answers; the smaller one drafts for it, so the answer comes sooner.</source>
        <translation>Das größere Modell antwortet; das kleinere entwirft für es, damit die Antwort früher kommt.</translation>
    </message>
    <message>
        <source>One model; repeated text is guessed without a second one.</source>
        <translation>Ein Modell; wiederholter Text wird ohne ein zweites vermutet.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>nothing more</source>
        <translation>nichts weiter</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>Warteschlange zeigen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>{what} holen</translation>
    </message>
    <message>
        <source>Search huggingface.co, as in: Qwen3 8B</source>
        <translation>In huggingface.co suchen, etwa: Qwen3 8B</translation>
    </message>
    <message>
        <source>Search models on the hub</source>
        <translation>Modelle im Hub suchen</translation>
    </message>
    <message>
        <source>Kind of model</source>
        <translation>Art des Modells</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>What speculation does, and what it is worth (Ctrl+Shift+P)</source>
        <translation>Was die Spekulation tut, und was sie bringt (Strg+Umschalt+P)</translation>
    </message>
    <message>
        <source>Show or hide the speculation panel</source>
        <translation>Spekulationsbereich zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Guesses several tokens ahead and lets the model check them at once: the same text, sooner</source>
        <translation>Vermutet mehrere Tokens im Voraus und lässt das Modell sie auf einmal prüfen: derselbe Text, früher</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>{file} is larger than {size} MB; import a smaller file.</source>
        <translation>{file} ist größer als {size} MB; importieren Sie eine kleinere Datei.</translation>
    </message>
    <message>
        <source>{file} holds no chats of Slipstream; choose a file that Slipstream exported.</source>
        <translation>{file} enthält keine Chats von Slipstream; wählen Sie eine Datei, die Slipstream exportiert hat.</translation>
    </message>
    <message>
        <source>{file} was written by another version of Slipstream; update Slipstream.</source>
        <translation>{file} wurde von einer anderen Version von Slipstream geschrieben; aktualisieren Sie Slipstream.</translation>
    </message>
    <message>
        <source>{file} is damaged, so nothing of it was imported; export it once more.</source>
        <translation>{file} ist beschädigt, deshalb wurde nichts daraus importiert; exportieren Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. There was no backup yet, so the list starts empty.</source>
        <translation>Die Datei Ihrer Chats war beschädigt und bleibt als {file} erhalten. Es gab noch keine Sicherung, deshalb ist die Liste zunächst leer.</translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. You see the backup of {time}.</source>
        <translation>Die Datei Ihrer Chats war beschädigt und bleibt als {file} erhalten. Sie sehen die Sicherung von {time}.</translation>
    </message>
    <message>
        <source>Today&apos;s backup of your chats failed. {reason}</source>
        <translation>Die heutige Sicherung Ihrer Chats ist gescheitert. {reason}</translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8; save it as UTF-8 and import it again.</source>
        <translation>{file} ist kein Text in UTF-8; speichern Sie ihn als UTF-8, und importieren Sie ihn noch einmal.</translation>
    </message>
    <message>
        <source>{file} holds no text; choose another file.</source>
        <translation>{file} enthält keinen Text; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>These chats were written by a newer Slipstream; update it or choose another SLIPSTREAM_HOME.</source>
        <translation>Diese Chats wurden von einem neueren Slipstream geschrieben; aktualisieren Sie es, oder wählen Sie ein anderes SLIPSTREAM_HOME.</translation>
    </message>
    <message>
        <source>Another program keeps {file} locked; close it and try again.</source>
        <translation>Ein anderes Programm hält {file} gesperrt; schließen Sie es, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The file of your chats is damaged; start Slipstream again, and it restores the last backup.</source>
        <translation>Die Datei Ihrer Chats ist beschädigt; starten Sie Slipstream neu, dann stellt es die letzte Sicherung wieder her.</translation>
    </message>
    <message>
        <source>The disk failed while {file} was in use; check the disk, then try again.</source>
        <translation>Die Festplatte hat versagt, während {file} benutzt wurde; prüfen Sie sie, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>This chat no longer exists; start a new one.</source>
        <translation>Diesen Chat gibt es nicht mehr; beginnen Sie einen neuen.</translation>
    </message>
    <message>
        <source>Your chats could not be read or written ({reason}); start Slipstream again.</source>
        <translation>Ihre Chats konnten nicht gelesen oder geschrieben werden ({reason}); starten Sie Slipstream neu.</translation>
    </message>
    <message>
        <source>Slipstream is already running with the chats in {folder}; use its window, or choose another SLIPSTREAM_HOME.</source>
        <translation>Slipstream läuft schon mit den Chats in {folder}; benutzen Sie sein Fenster, oder wählen Sie ein anderes SLIPSTREAM_HOME.</translation>
    </message>
    <message>
        <source>The disk is full, so your chats can&apos;t be saved; free some space where {folder} lies.</source>
        <translation>Die Festplatte ist voll, deshalb lassen sich Ihre Chats nicht speichern; schaffen Sie Platz, wo {folder} liegt.</translation>
    </message>
    <message>
        <source>Slipstream can&apos;t write to {folder}; allow it to, or choose another SLIPSTREAM_HOME.</source>
        <translation>Slipstream kann nicht in {folder} schreiben; erlauben Sie es, oder wählen Sie ein anderes SLIPSTREAM_HOME.</translation>
    </message>
</context>
<context>
    <name>HubDetails</name>
    <message>
        <source>Show its files</source>
        <translation>Dateien zeigen</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Fragt den Hub …</translation>
    </message>
    <message>
        <source>Slipstream can&apos;t run this: {reason}.</source>
        <translation>Slipstream kann dies nicht ausführen: {reason}.</translation>
    </message>
    <message>
        <source>Its makers want to know who fetches it: accept their terms on the model&apos;s page, and give your access token.</source>
        <translation>Die Hersteller wollen wissen, wer es holt: auf der Seite des Modells die Bedingungen annehmen und das Zugriffstoken angeben.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>It holds no model that Slipstream reads.</source>
        <translation>Es enthält kein Modell, das Slipstream liest.</translation>
    </message>
    <message>
        <source>Access token…</source>
        <translation>Zugriffstoken …</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>&amp;Which one</source>
        <translation>&amp;Welches</translation>
    </message>
    <message>
        <source>Which one</source>
        <translation>Welches</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Datenträger</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>{what} holen</translation>
    </message>
    <message>
        <source>This one can&apos;t run: {reason}.</source>
        <translation>Dieses läuft nicht: {reason}.</translation>
    </message>
    <message>
        <source>It is installed already.</source>
        <translation>Es ist schon installiert.</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import a model</source>
        <translation>Modell importieren</translation>
    </message>
    <message>
        <source>Import “{name}” as a model?</source>
        <translation>„{name}“ als Modell importieren?</translation>
    </message>
    <message>
        <source>Reading it, and measuring how fast each format of its weights is here…</source>
        <translation>Liest es und misst, wie schnell jedes Format seiner Gewichte hier ist …</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>Modell lesen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>In which format are its weights to be kept? Smaller ones take less memory and are a little less exact.</source>
        <translation>In welchem Format sollen die Gewichte bleiben? Kleinere nehmen weniger Speicher und sind etwas weniger genau.</translation>
    </message>
    <message>
        <source>It is copied to Slipstream&apos;s models; what you have stays as it is.</source>
        <translation>Es wird zu Slipstreams Modellen kopiert; das Original bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>at most {number} tokens/s here</source>
        <translation>hier höchstens {number} Tokens/s</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>empfohlen</translation>
    </message>
</context>
<context>
    <name>Insight</name>
    <message>
        <source>&amp;Tokens of the last answer</source>
        <translation>&amp;Tokens der letzten Antwort</translation>
    </message>
    <message>
        <source>T&amp;int right guesses</source>
        <translation>Richtige Vermutungen e&amp;infärben</translation>
    </message>
    <message>
        <source>The first token has not come yet.</source>
        <translation>Das erste Token ist noch nicht da.</translation>
    </message>
    <message>
        <source>No passes were recorded for this answer: it is older than this view.</source>
        <translation>Für diese Antwort wurden keine Durchläufe aufgezeichnet: Sie ist älter als diese Ansicht.</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Point at a token, or move with the arrow keys, to see the pass that it came from.</source>
        <translation>Zeigen Sie auf ein Token, oder gehen Sie mit den Pfeiltasten, um den Durchlauf zu sehen, aus dem es kam.</translation>
    </message>
    <message>
        <source>Ctrl with an arrow key jumps to the next correction.</source>
        <translation>Strg mit einer Pfeiltaste springt zur nächsten Korrektur.</translation>
    </message>
</context>
<context>
    <name>InstalledTab</name>
    <message>
        <source>Installed models</source>
        <translation>Installierte Modelle</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>Beschädigt</translation>
    </message>
    <message>
        <source>“{model}” is removed; its space is free again when Slipstream ends.</source>
        <translation>„{model}“ ist entfernt; sein Platz wird frei, wenn Slipstream endet.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>used {when}</source>
        <translation>benutzt {when}</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht benutzt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>No model is on this computer yet</source>
        <translation>Noch ist kein Modell auf diesem Computer</translation>
    </message>
    <message>
        <source>Get one from the list of models, or import a file that you have.</source>
        <translation>Eines aus der Liste der Modelle holen oder eine vorhandene Datei importieren.</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>Modelle holen</translation>
    </message>
    <message>
        <source>Import a file…</source>
        <translation>Datei importieren …</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>In pairs</source>
        <translation>In Paaren</translation>
    </message>
    <message>
        <source>It is in use: choose another model first.</source>
        <translation>Es wird gerade benutzt: zuerst ein anderes Modell wählen.</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Find a draft…</source>
        <translation>Entwurfsmodell suchen …</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>No program opens folders here. It is {path}</source>
        <translation>Kein Programm öffnet hier Ordner. Pfad: {path}</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>A &amp;GGUF file…</source>
        <translation>&amp;GGUF-Datei …</translation>
    </message>
    <message>
        <source>A &amp;folder (OpenVINO, checkpoint, drafter)…</source>
        <translation>&amp;Ordner (OpenVINO, Checkpoint, Drafter) …</translation>
    </message>
</context>
<context>
    <name>Lesson</name>
    <message>
        <source>The cat sat [on the mat] and [looked out of the] ~door~ *window* [at the rain.]</source>
        <translation>Die Katze saß [auf der Matte] und [sah durch die] ~Tür~ *Scheibe* [in den Regen.]</translation>
    </message>
    <message>
        <source>Sooner</source>
        <translation>Früher da</translation>
    </message>
    <message>
        <source>[Right guesses] come several at a time.</source>
        <translation>[Richtige Vermutungen] bringen mehrere Wörter auf einmal.</translation>
    </message>
    <message>
        <source>The same text</source>
        <translation>Derselbe Text</translation>
    </message>
    <message>
        <source>~Wrong ones~ are *corrected* by the model.</source>
        <translation>~Falsche~ werden vom Modell *korrigiert*.</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Nothing leaves this computer.</source>
        <translation>Nichts verlässt diesen Computer.</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>No program on this computer opens {address}</source>
        <translation>Kein Programm auf diesem Computer öffnet {address}</translation>
    </message>
    <message>
        <source>Slipstream opens only web and mail addresses, so this one was not opened: {address}</source>
        <translation>Slipstream öffnet nur Web- und Mailadressen, deshalb wurde diese nicht geöffnet: {address}</translation>
    </message>
    <message>
        <source>Show this picture from your computer: {path}</source>
        <translation>Dieses Bild von Ihrem Computer zeigen: {path}</translation>
    </message>
</context>
<context>
    <name>LoadRow</name>
    <message>
        <source>Stop loading</source>
        <translation>Laden abbrechen</translation>
    </message>
    <message>
        <source>{minutes}:{seconds}</source>
        <translation>{minutes}:{seconds}</translation>
    </message>
    <message>
        <source>{step} ({time})</source>
        <comment>a step of loading and the time since it began</comment>
        <translation>{step} ({time})</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>Liest das Modell</translation>
    </message>
    <message>
        <source>{step}: {percent} %</source>
        <translation>{step}: {percent} %</translation>
    </message>
    <message>
        <source>Converting the model, only this first time</source>
        <translation>Wandelt das Modell um, nur dieses erste Mal</translation>
    </message>
    <message>
        <source>Preparing the model for this processor</source>
        <translation>Bereitet das Modell für diesen Prozessor vor</translation>
    </message>
    <message>
        <source>Warming up, and measuring the speed if that is new</source>
        <translation>Wärmt auf und misst die Geschwindigkeit, falls sie neu ist</translation>
    </message>
</context>
<context>
    <name>LookPage</name>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Colours of the window.</source>
        <translation>Farben des Fensters.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Also with Ctrl and plus, minus or 0.</source>
        <translation>Auch mit Strg und Plus, Minus oder 0.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Takes effect when Slipstream is started again.</source>
        <translation>Gilt, wenn Slipstream neu gestartet wird.</translation>
    </message>
</context>
<context>
    <name>MachinePage</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>As the model allows</source>
        <translation>Wie das Modell erlaubt</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Where the models run.</source>
        <translation>Wo die Modelle laufen.</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Prozessor-Threads</translation>
    </message>
    <message>
        <source>Fewer leave more of the processor to other programs.</source>
        <translation>Weniger lassen anderen Programmen mehr vom Prozessor.</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>Längster Kontext</translation>
    </message>
    <message>
        <source>In tokens. A shorter one keeps long chats from taking more memory.</source>
        <translation>In Tokens. Ein kürzerer verhindert, dass lange Chats mehr Speicher nehmen.</translation>
    </message>
    <message>
        <source>Takes effect when the model is loaded again.</source>
        <translation>Gilt, wenn das Modell neu geladen wird.</translation>
    </message>
    <message>
        <source>Load it again now</source>
        <translation>Jetzt neu laden</translation>
    </message>
    <message>
        <source>{device} (not found)</source>
        <translation>{device} (nicht gefunden)</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>The last answer is not saved yet. Close once more to give it up.</source>
        <translation>Die letzte Antwort ist noch nicht gespeichert. Schließen Sie noch einmal, um sie aufzugeben.</translation>
    </message>
    <message>
        <source>{problem} Nothing is lost yet: Slipstream tries again each second.</source>
        <translation>{problem} Noch ist nichts verloren: Slipstream versucht es jede Sekunde wieder.</translation>
    </message>
</context>
<context>
    <name>ManagerPage</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Installiert</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>Modelle holen</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Back to chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
    <message>
        <source>Leave the models</source>
        <translation>Modelle verlassen</translation>
    </message>
    <message>
        <source>Queue ({count})</source>
        <translation>Warteschlange ({count})</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>This pair needs about {needed} of memory, and {free} is free. It runs, but the computer may become slow.</source>
        <translation>Dieses Paar braucht etwa {needed} Speicher, und {free} sind frei. Es läuft, aber der Computer kann langsam werden.</translation>
    </message>
    <message>
        <source>This pair needs about {needed} of memory, but only {free} is free. Close other programs or choose a smaller pair.</source>
        <translation>Dieses Paar braucht etwa {needed} Speicher, aber nur {free} sind frei. Andere Programme schließen oder ein kleineres Paar wählen.</translation>
    </message>
    <message>
        <source>Program and tokenizer</source>
        <translation>Programm und Tokenizer</translation>
    </message>
    <message>
        <source>File in memory, can be given back</source>
        <translation>Datei im Speicher, kann freigegeben werden</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Conversation (KV cache)</source>
        <translation>Gespräch (KV-Zwischenspeicher)</translation>
    </message>
    <message>
        <source>States of the conversation</source>
        <translation>Zustände des Gesprächs</translation>
    </message>
    <message>
        <source>Room to work</source>
        <translation>Platz zum Rechnen</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>E&amp;xtras</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Neuer Chat</translation>
    </message>
    <message>
        <source>&amp;Search chats</source>
        <translation>Chats &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>&amp;Nachricht schreiben</translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation>In diesem Chat &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Copy last answer</source>
        <translation>Letzte Antwort &amp;kopieren</translation>
    </message>
    <message>
        <source>Speculation &amp;panel</source>
        <translation>&amp;Spekulationsbereich</translation>
    </message>
    <message>
        <source>Chat &amp;list</source>
        <translation>Chat&amp;liste</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Check this &amp;computer…</source>
        <translation>Diesen &amp;Computer prüfen …</translation>
    </message>
    <message>
        <source>Check for &amp;updates…</source>
        <translation>Nach &amp;neuer Version sehen …</translation>
    </message>
    <message>
        <source>&amp;About Slipstream</source>
        <translation>Ü&amp;ber Slipstream</translation>
    </message>
    <message>
        <source>Th&amp;eme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>Fassung {number} von {count}</translation>
    </message>
</context>
<context>
    <name>MessageEdit</name>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter start a new line</source>
        <translation>Die Eingabetaste sendet, mit Umschalt beginnt sie eine neue Zeile</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Nachricht senden</translation>
    </message>
    <message>
        <source>Start a new line</source>
        <translation>Neue Zeile beginnen</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Edit the message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Enter sends, Escape cancels</source>
        <translation>Die Eingabetaste sendet, Escape bricht ab</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>The version so far is kept, with its answers.</source>
        <translation>Die bisherige Fassung bleibt mit ihren Antworten erhalten.</translation>
    </message>
    <message>
        <source>You can send this when the answer has ended.</source>
        <translation>Sie können dies senden, sobald die Antwort fertig ist.</translation>
    </message>
</context>
<context>
    <name>MessageWidget</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Wait until the answer has ended, or stop it.</source>
        <translation>Warten Sie, bis die Antwort fertig ist, oder halten Sie sie an.</translation>
    </message>
    <message>
        <source>Open a new chat that holds everything up to here</source>
        <translation>Neuen Chat öffnen, der alles bis hierher enthält</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Abzweigen</translation>
    </message>
    <message>
        <source>Answer this plainly and with speculation, and compare</source>
        <translation>Dies einfach und mit Spekulation beantworten und vergleichen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
</context>
<context>
    <name>ModelManager</name>
    <message>
        <source>M&amp;odels…</source>
        <translation>&amp;Modelle …</translation>
    </message>
    <message>
        <source>Importing {name}</source>
        <translation>{name} wird importiert</translation>
    </message>
    <message>
        <source>Checking {name}</source>
        <translation>{name} wird geprüft</translation>
    </message>
    <message>
        <source>Every byte is as it should be.</source>
        <translation>Jedes Byte ist, wie es sein soll.</translation>
    </message>
    <message>
        <source>Wait for the import or check that is going on, or cancel it.</source>
        <translation>Das laufende Importieren oder Prüfen abwarten oder abbrechen.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>Modell importieren</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <source>Block drafter (DFlash)</source>
        <translation>Block-Drafter (DFlash)</translation>
    </message>
    <message>
        <source>OpenVINO</source>
        <translation>OpenVINO</translation>
    </message>
    <message>
        <source>EAGLE head</source>
        <translation>EAGLE-Kopf</translation>
    </message>
    <message>
        <source>the Hugging Face hub</source>
        <translation>Hugging Face Hub</translation>
    </message>
    <message>
        <source>the Python package index</source>
        <translation>Python-Paketindex</translation>
    </message>
    <message>
        <source>came with Slipstream</source>
        <translation>mit Slipstream geliefert</translation>
    </message>
    <message>
        <source>imported from a file</source>
        <translation>aus einer Datei importiert</translation>
    </message>
    <message>
        <source>no model files</source>
        <translation>keine Modelldateien</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>noch %n Sekunde</numerusform>
            <numerusform>noch %n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>noch %n Minute</numerusform>
            <numerusform>noch %n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) left</source>
        <translation>
            <numerusform>noch %n Stunde</numerusform>
            <numerusform>noch %n Stunden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Needs</name>
    <message>
        <source>about {needed} of memory</source>
        <translation>etwa {needed} Speicher</translation>
    </message>
    <message>
        <source>{needs}; {free} is free</source>
        <translation>{needs}; {free} sind frei</translation>
    </message>
    <message>
        <source>{needed}; {free} is free</source>
        <translation>{needed}; {free} sind frei</translation>
    </message>
</context>
<context>
    <name>NoticeBoard</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pass(es)</source>
        <translation>
            <numerusform>%Ln Durchlauf</numerusform>
            <numerusform>%Ln Durchläufe</numerusform>
        </translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} Tokens/s</translation>
    </message>
    <message>
        <source>{count} h ago</source>
        <translation>vor {count} h</translation>
    </message>
    <message>
        <source>{count} min ago</source>
        <translation>vor {count} min</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>{count} s ago</source>
        <translation>vor {count} s</translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Which models answer</source>
        <translation>Welche Modelle antworten</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>{model} — fetch {size}</source>
        <translation>{model} — {size} holen</translation>
    </message>
    <message>
        <source>Manage models…</source>
        <translation>Modelle verwalten …</translation>
    </message>
</context>
<context>
    <name>Pairing</name>
    <message>
        <source>F&amp;ind a draft for this model…</source>
        <translation>Entwurfsmodell für dieses Modell &amp;suchen …</translation>
    </message>
    <message>
        <source>Fetch “{model}” first.</source>
        <translation>Zuerst „{model}“ holen.</translation>
    </message>
    <message>
        <source>Another trial is running</source>
        <translation>Ein anderer Versuch läuft</translation>
    </message>
    <message>
        <source>Load this model first: a trial measures with it</source>
        <translation>Zuerst dieses Modell laden: Ein Versuch misst mit ihm</translation>
    </message>
    <message>
        <source>A draft is being tried: messages are answered when that has ended.</source>
        <translation>Ein Entwurfsmodell wird versucht: Nachrichten werden danach beantwortet.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>The trial has ended: {times}× the speed of plain decoding</source>
        <translation>Der Versuch ist beendet: {times}× die Geschwindigkeit einfachen Dekodierens</translation>
    </message>
    <message>
        <source>It reads inside the model, which is prepared anew for it; the chat stays.</source>
        <translation>Es liest im Inneren des Modells, das dafür neu vorbereitet wird; der Chat bleibt.</translation>
    </message>
    <message>
        <source>Hardly any gain is expected: it is too slow beside the model.</source>
        <translation>Kaum ein Gewinn zu erwarten: Es ist neben dem Modell zu langsam.</translation>
    </message>
    <message>
        <source>About {least}× to {most}× by both models&apos; speed here, assuming {low} to {high} of its guesses are right.</source>
        <translation>Etwa {least}× bis {most}× nach der Geschwindigkeit beider Modelle hier, wenn {low} bis {high} der Vermutungen richtig sind.</translation>
    </message>
    <message>
        <source>Roughly {least}× to {most}× by both models&apos; size, assuming {low} to {high} of its guesses are right.</source>
        <translation>Grob {least}× bis {most}× nach der Größe beider Modelle, wenn {low} bis {high} der Vermutungen richtig sind.</translation>
    </message>
    <message>
        <source>{times}×, measured</source>
        <translation>{times}×, gemessen</translation>
    </message>
    <message>
        <source>hardly any gain expected</source>
        <translation>kaum Gewinn zu erwarten</translation>
    </message>
    <message>
        <source>{least}× to {most}× expected</source>
        <translation>{least}× bis {most}× zu erwarten</translation>
    </message>
    <message>
        <source>How many guesses will be right is assumed: nobody knows before a trial. It differs by what you ask for.</source>
        <translation>Wie viele Vermutungen richtig sein werden, ist angenommen: Vor einem Versuch weiß es niemand. Es hängt davon ab, wonach gefragt wird.</translation>
    </message>
    <message>
        <source>Getting the draft ready…</source>
        <translation>Bereitet das Entwurfsmodell vor …</translation>
    </message>
    <message>
        <source>Trying it with a few prompts of our own…</source>
        <translation>Versucht es mit ein paar eigenen Prompts …</translation>
    </message>
    <message>
        <source>Trying it: {plain} tokens/s plain, {drafted} with the draft</source>
        <translation>Versuch: {plain} Tokens/s einfach, {drafted} mit dem Entwurfsmodell</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}, with an earlier version</source>
        <translation>{times}× gemessen auf diesem Gerät, {day}, mit einer früheren Version</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}: it is slower than plain decoding</source>
        <translation>{times}× gemessen auf diesem Gerät, {day}: langsamer als einfaches Dekodieren</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}</source>
        <translation>{times}× gemessen auf diesem Gerät, {day}</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Find a draft</source>
        <translation>Entwurfsmodell suchen</translation>
    </message>
    <message>
        <source>A draft is a smaller model that guesses ahead. The model checks its guesses several at once, so the same answer comes sooner.</source>
        <translation>Ein Entwurfsmodell ist ein kleineres Modell, das im Voraus vermutet. Das Modell prüft mehrere seiner Vermutungen auf einmal, und dieselbe Antwort kommt früher.</translation>
    </message>
    <message>
        <source>Drafts for {model}</source>
        <translation>Entwurfsmodelle für {model}</translation>
    </message>
</context>
<context>
    <name>PairingRow</name>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Fetch {size} and use</source>
        <translation>{size} holen und verwenden</translation>
    </message>
    <message>
        <source>Try 20 s</source>
        <translation>20 s versuchen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Measures what it gains here, with a few prompts of our own</source>
        <translation>Misst mit ein paar eigenen Prompts, was es hier bringt</translation>
    </message>
</context>
<context>
    <name>PairingView</name>
    <message>
        <source>Drafts</source>
        <translation>Entwurfsmodelle</translation>
    </message>
    <message>
        <source>Looking for drafts…</source>
        <translation>Sucht Entwurfsmodelle …</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No draft is known that fits this model. A smaller model of the same family does: fetch or import one.</source>
        <translation>Kein passendes Entwurfsmodell bekannt. Ein kleineres Modell derselben Familie passt: eines holen oder importieren.</translation>
    </message>
    <message>
        <source>Hide what does not fit</source>
        <translation>Unpassende verbergen</translation>
    </message>
    <message numerus="yes">
        <source>Show why %n model(s) do not fit</source>
        <translation>
            <numerusform>Zeigen, warum %n Modell nicht passt</numerusform>
            <numerusform>Zeigen, warum %n Modelle nicht passen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pairs</name>
    <message>
        <source>Loading…</source>
        <translation>Lädt …</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Loading was stopped: no model is loaded.</source>
        <translation>Das Laden wurde abgebrochen: Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>Laden</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Speed now</source>
        <translation>Aktuelle Geschwindigkeit</translation>
    </message>
    <message>
        <source>Tokens (pieces of words) per second, guessing included: of the last second, and of the whole answer at its end.</source>
        <translation>Tokens (Wortstücke) je Sekunde, das Vermuten eingerechnet: in der letzten Sekunde, und am Ende über die ganze Antwort.</translation>
    </message>
    <message>
        <source>Plain speed</source>
        <translation>Einfache Geschwindigkeit</translation>
    </message>
    <message>
        <source>How fast the big model is alone, without guesses. It is measured again and again, by a few passes inside the answers.</source>
        <translation>Wie schnell das große Modell allein ist, ohne Vermutungen. Es wird immer wieder gemessen, durch einige Durchläufe innerhalb der Antworten.</translation>
    </message>
    <message>
        <source>When the plain speed was measured last.</source>
        <translation>Wann die einfache Geschwindigkeit zuletzt gemessen wurde.</translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation>Tokens je Durchlauf</translation>
    </message>
    <message>
        <source>How many tokens each run of the big model gives: right guesses and one of its own. Alone it gives 1.</source>
        <translation>Wie viele Tokens jeder Lauf des großen Modells bringt: richtige Vermutungen und ein eigenes. Allein bringt er 1.</translation>
    </message>
    <message>
        <source>Right guesses</source>
        <translation>Richtige Vermutungen</translation>
    </message>
    <message>
        <source>Acceptance rate: guesses that the big model accepted / all guesses.</source>
        <translation>Annahmequote: Vermutungen, die das große Modell annahm / alle Vermutungen.</translation>
    </message>
    <message>
        <source>Guessed by</source>
        <translation>Vermutet von</translation>
    </message>
    <message>
        <source>How many guesses came from each source, and its share of all. A trained drafter is a small network that reads the big model&apos;s hidden states: DFlash guesses a block at once, EAGLE one token after the other.</source>
        <translation>Wie viele Vermutungen aus jeder Quelle kamen, und ihr Anteil an allen. Ein trainierter Drafter ist ein kleines Netz, das die verborgenen Zustände des großen Modells liest: DFlash vermutet einen Block auf einmal, EAGLE ein Token nach dem anderen.</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>How often the big model ran to check guesses and add its own token.</source>
        <translation>Wie oft das große Modell lief, um Vermutungen zu prüfen und ein eigenes Token anzufügen.</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>Erstes Token nach</translation>
    </message>
    <message>
        <source>Time from the request to the first token, reading the prompt included.</source>
        <translation>Zeit von der Anfrage bis zum ersten Token, das Lesen des Prompts eingerechnet.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Tokens that the model had to know before it could answer. Reused ones were known from earlier turns.</source>
        <translation>Tokens, die das Modell kennen musste, bevor es antworten konnte. Wiederverwendete kannte es aus früheren Runden.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Tokens of the answer so far.</source>
        <translation>Tokens der Antwort bis jetzt.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Tokens of prompt and answer, of those that the model can keep in mind.</source>
        <translation>Tokens von Prompt und Antwort, von denen, die das Modell im Gedächtnis behalten kann.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Zwischenspeicher</translation>
    </message>
    <message>
        <source>Memory in which the models keep what they have read.</source>
        <translation>Speicher, in dem die Modelle behalten, was sie gelesen haben.</translation>
    </message>
    <message>
        <source>Speed of this answer / plain speed. It is shown only when both were measured, over enough tokens.</source>
        <translation>Geschwindigkeit dieser Antwort / einfache Geschwindigkeit. Sie wird nur gezeigt, wenn beide gemessen wurden, über genug Tokens.</translation>
    </message>
    <message>
        <source>Tokens per second from the start of the answer to now. The dashed line is the big model alone.</source>
        <translation>Tokens je Sekunde vom Beginn der Antwort bis jetzt. Die gestrichelte Linie ist das große Modell allein.</translation>
    </message>
    <message>
        <source>How often the first, second, third … guess of a pass was right. A guess counts only if all before it were right, so later ones are worth less.</source>
        <translation>Wie oft die erste, zweite, dritte … Vermutung eines Durchlaufs richtig war. Eine Vermutung zählt nur, wenn alle vor ihr richtig waren, deshalb sind spätere weniger wert.</translation>
    </message>
    <message>
        <source>Why so many tokens are guessed in a pass, by what was measured: one more guess is made as long as the tokens that it brings on average are worth the time that it takes.</source>
        <translation>Warum so viele Tokens je Durchlauf vermutet werden, nach dem, was gemessen wurde: Eine weitere Vermutung wird gemacht, solange die Tokens, die sie im Mittel bringt, die Zeit wert sind, die sie braucht.</translation>
    </message>
    <message>
        <source>Send a message: the figures of its answer appear here.</source>
        <translation>Senden Sie eine Nachricht: Die Zahlen ihrer Antwort erscheinen hier.</translation>
    </message>
    <message>
        <source>Plain decoding: one token a pass.</source>
        <translation>Einfaches Dekodieren: ein Token je Durchlauf.</translation>
    </message>
    <message>
        <source>As fast as plain decoding</source>
        <translation>So schnell wie einfaches Dekodieren</translation>
    </message>
    <message>
        <source>Faster than plain decoding</source>
        <translation>Schneller als einfaches Dekodieren</translation>
    </message>
    <message>
        <source>Slower than plain decoding</source>
        <translation>Langsamer als einfaches Dekodieren</translation>
    </message>
    <message>
        <source>{accepted} of {drafted}</source>
        <translation>{accepted} von {drafted}</translation>
    </message>
    <message>
        <source>{count} reused</source>
        <translation>{count} wiederverwendet</translation>
    </message>
    <message>
        <source>{count} of {limit}</source>
        <translation>{count} von {limit}</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>measured {ago} in this answer</source>
        <translation>{ago} in dieser Antwort gemessen</translation>
    </message>
    <message>
        <source>measured {ago} in an earlier answer</source>
        <translation>{ago} in einer früheren Antwort gemessen</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>{name} is no picture that can be shown here.</source>
        <translation>{name} ist kein Bild, das hier gezeigt werden kann.</translation>
    </message>
    <message>
        <source>{name} has too many pixels to be shown here.</source>
        <translation>{name} hat zu viele Bildpunkte, um hier gezeigt zu werden.</translation>
    </message>
    <message>
        <source>{name} is damaged and can&apos;t be shown.</source>
        <translation>{name} ist beschädigt und kann nicht gezeigt werden.</translation>
    </message>
    <message>
        <source>There is no file {path}</source>
        <translation>Es gibt keine Datei {path}</translation>
    </message>
    <message>
        <source>{path} is no file.</source>
        <translation>{path} ist keine Datei.</translation>
    </message>
    <message>
        <source>{name} is too large to be shown here.</source>
        <translation>{name} ist zu groß, um hier gezeigt zu werden.</translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>Right guesses by their position in the pass</source>
        <translation>Richtige Vermutungen nach ihrer Position im Durchlauf</translation>
    </message>
    <message>
        <source>position {position}: {rate}, {counts}</source>
        <translation>Position {position}: {rate}, {counts}</translation>
    </message>
    <message>
        <source>Nothing guessed yet</source>
        <translation>Noch nichts vermutet</translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern als …</translation>
    </message>
    <message>
        <source>Save these settings as a preset</source>
        <translation>Diese Einstellungen als Vorlage speichern</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>There is a preset with this name already.</source>
        <translation>Es gibt schon eine Vorlage mit diesem Namen.</translation>
    </message>
    <message>
        <source>A name has 1 to 60 characters.</source>
        <translation>Ein Name hat 1 bis 60 Zeichen.</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>Als Vorlage speichern</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>Vorlage umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Preview of the card</source>
        <translation>Vorschau der Karte</translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>New chats</source>
        <translation>Neue Chats</translation>
    </message>
    <message>
        <source>Speed and memory</source>
        <translation>Geschwindigkeit und Speicher</translation>
    </message>
    <message>
        <source>Files and privacy</source>
        <translation>Dateien und Privatsphäre</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>First</source>
        <translation>Zuerst</translation>
    </message>
    <message>
        <source>Fetch this one before the others</source>
        <translation>Dieses vor den anderen holen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Gives up and deletes what has arrived</source>
        <translation>Gibt auf und löscht, was angekommen ist</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Access token…</source>
        <translation>Zugriffstoken …</translation>
    </message>
</context>
<context>
    <name>QueueTab</name>
    <message>
        <source>Nothing is being fetched. What you choose under “Get models” comes here.</source>
        <translation>Nichts wird geholt. Was unter „Modelle holen“ gewählt wird, erscheint hier.</translation>
    </message>
    <message>
        <source>Slipstream ended before these fetches were complete.</source>
        <translation>Slipstream endete, bevor alles geholt war.</translation>
    </message>
    <message>
        <source>Continue all</source>
        <translation>Alle fortsetzen</translation>
    </message>
    <message>
        <source>Fetch queue</source>
        <translation>Warteschlange</translation>
    </message>
</context>
<context>
    <name>ReasoningBlock</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the reasoning</source>
        <translation>Gedankengang kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Hide the reasoning</source>
        <translation>Gedankengang verbergen</translation>
    </message>
    <message>
        <source>Show the reasoning</source>
        <translation>Gedankengang zeigen</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>Dachte {seconds} s nach</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
    </message>
    <message>
        <source>Thinking… {seconds} s</source>
        <translation>Denkt nach … {seconds} s</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message numerus="yes">
        <source>%n guess(es) a pass, the most that are made at once here.</source>
        <translation>
            <numerusform>%n Vermutung je Durchlauf, mehr werden hier auf einmal nicht gemacht.</numerusform>
            <numerusform>%n Vermutungen je Durchlauf, so viele wie hier auf einmal höchstens gemacht werden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass, because the switch stands at On.</source>
        <translation>
            <numerusform>%n Vermutung je Durchlauf, weil der Schalter auf An steht.</numerusform>
            <numerusform>%n Vermutungen je Durchlauf, weil der Schalter auf An steht.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</source>
        <translation>
            <numerusform>%n Vermutung je Durchlauf: Eine mehr würde {cost} ms kosten und {gain} Tokens bringen, was sich nicht lohnt.</numerusform>
            <numerusform>%n Vermutungen je Durchlauf: Eine mehr würde {cost} ms kosten und {gain} Tokens bringen, was sich nicht lohnt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Guesses cost more time here than they save, by what was measured.</source>
        <translation>Vermutungen kosten hier mehr Zeit, als sie sparen, nach dem, was gemessen wurde.</translation>
    </message>
    <message>
        <source>Nothing in the text repeats here.</source>
        <translation>Nichts im Text wiederholt sich hier.</translation>
    </message>
    <message>
        <source>Plain decoding is measured for a moment, to compare with.</source>
        <translation>Einfaches Dekodieren wird einen Moment lang gemessen, zum Vergleich.</translation>
    </message>
    <message>
        <source>The drafter is tried again, to see whether it pays now.</source>
        <translation>Der Entwerfer wird noch einmal versucht, um zu sehen, ob er sich jetzt lohnt.</translation>
    </message>
    <message>
        <source>This pair has no draft model.</source>
        <translation>Dieses Paar hat kein Entwurfsmodell.</translation>
    </message>
    <message>
        <source>This pair has no trained drafter (DFlash or EAGLE).</source>
        <translation>Dieses Paar hat keinen trainierten Drafter (DFlash oder EAGLE).</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>Entstanden mit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Time of writing</source>
        <translation>Zeit des Schreibens</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Speculation switch</source>
        <translation>Schalter der Spekulation</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>Vermutungen je Durchlauf</translation>
    </message>
    <message>
        <source>Same text without speculation</source>
        <translation>Derselbe Text ohne Spekulation</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Präsenzstrafe</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsstrafe</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>as many as pay</source>
        <translation>so viele, wie sich lohnen</translation>
    </message>
    <message>
        <source>yes, bit for bit</source>
        <translation>ja, Bit für Bit</translation>
    </message>
    <message>
        <source>not certain on this machine</source>
        <translation>auf diesem Rechner nicht sicher</translation>
    </message>
</context>
<context>
    <name>RichText</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Show picture</source>
        <translation>Bild zeigen</translation>
    </message>
</context>
<context>
    <name>Sections</name>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
</context>
<context>
    <name>Seed</name>
    <message>
        <source>New for each answer</source>
        <translation>Neu für jede Antwort</translation>
    </message>
    <message>
        <source>Always this one</source>
        <translation>Immer dieser</translation>
    </message>
    <message>
        <source>Seed as a number</source>
        <translation>Startwert als Zahl</translation>
    </message>
</context>
<context>
    <name>Segment</name>
    <message>
        <source>Speculation: {choice}</source>
        <translation>Spekulation: {choice}</translation>
    </message>
</context>
<context>
    <name>Selectable</name>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as shown</source>
        <translation>Wie angezeigt kopieren</translation>
    </message>
    <message>
        <source>Select the whole message</source>
        <translation>Ganze Nachricht auswählen</translation>
    </message>
    <message>
        <source>Copy the link&apos;s address</source>
        <translation>Adresse des Links kopieren</translation>
    </message>
</context>
<context>
    <name>SentFiles</name>
    <message>
        <source>Attached: {names}</source>
        <translation>Angehängt: {names}</translation>
    </message>
</context>
<context>
    <name>SettingWords</name>
    <message>
        <source>A preset of your own.</source>
        <translation>Eine eigene Vorlage.</translation>
    </message>
    <message>
        <source>Stop and say so</source>
        <translation>Anhalten und es sagen</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Keep the first and the last messages</source>
        <translation>Die ersten und die letzten Nachrichten behalten</translation>
    </message>
    <message>
        <source>Off: one token at a time</source>
        <translation>Aus: ein Token nach dem anderen</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>Alle Quellen</translation>
    </message>
    <message>
        <source>Repeated text only</source>
        <translation>Nur wiederholter Text</translation>
    </message>
    <message>
        <source>The draft model only</source>
        <translation>Nur das Entwurfsmodell</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Instructions that the model reads before the conversation, such as its role or its tone.</source>
        <translation>Anweisungen, die das Modell vor dem Gespräch liest, etwa seine Rolle oder sein Ton.</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>In tokens, about three quarters of an English word each. The answer ends here at the latest.</source>
        <translation>In Tokens, je etwa drei Viertel eines englischen Wortes. Die Antwort endet spätestens hier.</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>Anhalten bei</translation>
    </message>
    <message>
        <source>Texts that end the answer where they appear, one a line. Write \n for a line break.</source>
        <translation>Texte, bei denen die Antwort endet, einer je Zeile. Schreiben Sie \n für einen Zeilenumbruch.</translation>
    </message>
    <message>
        <source>When the chat gets too long</source>
        <translation>Wenn der Chat zu lang wird</translation>
    </message>
    <message>
        <source>What happens when the conversation no longer fits into what the model can read.</source>
        <translation>Was geschieht, wenn das Gespräch nicht mehr in das passt, was das Modell lesen kann.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again.</source>
        <translation>Derselbe Startwert und dieselben Einstellungen geben wieder dieselbe Antwort.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>How freely words are chosen. 0 always takes the likeliest; higher is more varied.</source>
        <translation>Wie frei Wörter gewählt werden. 0 nimmt immer das wahrscheinlichste; höhere Werte sind abwechslungsreicher.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Chooses among this many of the likeliest tokens only. 0 is off.</source>
        <translation>Wählt nur unter so vielen der wahrscheinlichsten Tokens. 0 ist aus.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Chooses among the likeliest tokens that together have this probability. 1 is off.</source>
        <translation>Wählt unter den wahrscheinlichsten Tokens, die zusammen diese Wahrscheinlichkeit haben. 1 ist aus.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Leaves out tokens less likely than this share of the likeliest one. 0 is off.</source>
        <translation>Lässt Tokens weg, die weniger wahrscheinlich sind als dieser Anteil des wahrscheinlichsten. 0 ist aus.</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Makes what was already said, by you or the model, less likely. 1 is off; small models need a little.</source>
        <translation>Macht unwahrscheinlicher, was Sie oder das Modell schon gesagt haben. 1 ist aus; kleine Modelle brauchen ein wenig.</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Präsenzstrafe</translation>
    </message>
    <message>
        <source>Makes every token that the answer has used less likely, however often. 0 is off.</source>
        <translation>Macht jedes Token unwahrscheinlicher, das die Antwort schon benutzt hat, gleich wie oft. 0 ist aus.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsstrafe</translation>
    </message>
    <message>
        <source>Makes tokens less likely the more often the answer has used them. 0 is off.</source>
        <translation>Macht Tokens umso unwahrscheinlicher, je öfter die Antwort sie schon benutzt hat. 0 ist aus.</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>All takes what is likeliest to be right: repeated text first, then the draft model.</source>
        <translation>Alle nimmt, was am wahrscheinlichsten stimmt: zuerst wiederholten Text, dann das Entwurfsmodell.</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>What suits the model that is loaded.</source>
        <translation>Was zum geladenen Modell passt.</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Always the likeliest word. The same question gets the same answer.</source>
        <translation>Immer das wahrscheinlichste Wort. Dieselbe Frage bekommt dieselbe Antwort.</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Some variety, for everyday questions.</source>
        <translation>Etwas Abwechslung, für alltägliche Fragen.</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>Kreativ</translation>
    </message>
    <message>
        <source>More variety, for stories and ideas.</source>
        <translation>Mehr Abwechslung, für Geschichten und Ideen.</translation>
    </message>
    <message>
        <source>Coder</source>
        <translation>Programmieren</translation>
    </message>
    <message>
        <source>Little variety, for programs and facts.</source>
        <translation>Wenig Abwechslung, für Programme und Fakten.</translation>
    </message>
    <message>
        <source>Auto: guesses as much as pays</source>
        <translation>Auto: vermutet so viel, wie sich lohnt</translation>
    </message>
    <message>
        <source>On: always guesses</source>
        <translation>An: vermutet immer</translation>
    </message>
    <message>
        <source>Guesses several tokens and checks them at once. It changes the speed, never the answer.</source>
        <translation>Vermutet mehrere Tokens und prüft sie auf einmal. Das ändert die Geschwindigkeit, nie die Antwort.</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>Vermutungen je Durchlauf</translation>
    </message>
    <message>
        <source>Tokens guessed before each check when speculation is on. Auto chooses by itself how many.</source>
        <translation>Tokens, die vor jeder Prüfung vermutet werden, wenn Spekulation an ist. Auto wählt selbst, wie viele.</translation>
    </message>
    <message>
        <source>Guesses come from</source>
        <translation>Vermutungen kommen aus</translation>
    </message>
</context>
<context>
    <name>SettingsDesk</name>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Settings of this c&amp;hat…</source>
        <translation>&amp;Einstellungen dieses Chats …</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation>G&amp;rößerer Text</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>&amp;Kleinerer Text</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>&amp;Normale Textgröße</translation>
    </message>
</context>
<context>
    <name>SettingsFile</name>
    <message>
        <source>The settings could not be read and are as new. The old file is kept as {file}.</source>
        <translation>Die Einstellungen konnten nicht gelesen werden und sind wie neu. Die alte Datei bleibt als {file} erhalten.</translation>
    </message>
    <message>
        <source>Settings that make no sense were set back: {names}. The file as it was is kept as {file}.</source>
        <translation>Einstellungen ohne Sinn wurden zurückgesetzt: {names}. Die Datei, wie sie war, bleibt als {file} erhalten.</translation>
    </message>
    <message>
        <source>The settings in {file} can&apos;t be read ({reason}): the program&apos;s own are in force.</source>
        <translation>Die Einstellungen in {file} lassen sich nicht lesen ({reason}): Es gelten die des Programms.</translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search keys or actions</source>
        <translation>Tasten oder Aktionen suchen</translation>
    </message>
    <message>
        <source>Search keyboard shortcuts</source>
        <translation>Tastenkürzel durchsuchen</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was es tut</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation>Ihre Chats erscheinen hier.</translation>
    </message>
    <message>
        <source>No chat matches.</source>
        <translation>Kein Chat passt.</translation>
    </message>
    <message numerus="yes">
        <source>The newest %n chat(s) with these words:</source>
        <translation>
            <numerusform>Der neueste Chat mit diesen Wörtern:</numerusform>
            <numerusform>Die neuesten %n Chats mit diesen Wörtern:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) found</source>
        <translation>
            <numerusform>%n Chat gefunden</numerusform>
            <numerusform>%n Chats gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Bin ({count})</source>
        <translation>Papierkorb ({count})</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats suchen</translation>
    </message>
    <message>
        <source>Leave the search</source>
        <translation>Suche verlassen</translation>
    </message>
    <message>
        <source>Go to the chats that were found</source>
        <translation>Zu den gefundenen Chats gehen</translation>
    </message>
    <message>
        <source>Chats that were deleted in the last 30 days</source>
        <translation>Chats, die in den letzten 30 Tagen gelöscht wurden</translation>
    </message>
</context>
<context>
    <name>Sources</name>
    <message>
        <source>repeated text (n-gram)</source>
        <translation>wiederholter Text (n-Gramm)</translation>
    </message>
    <message>
        <source>recorded answers (store)</source>
        <translation>aufgezeichnete Antworten (Speicher)</translation>
    </message>
    <message>
        <source>draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>trained drafter</source>
        <translation>trainierter Drafter</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Tokens per second over the answer</source>
        <translation>Tokens je Sekunde über die Antwort hin</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>Noch nichts gemessen</translation>
    </message>
    <message>
        <source>Now {now}, highest {peak}</source>
        <translation>Jetzt {now}, höchstens {peak}</translation>
    </message>
    <message>
        <source>plain decoding {plain}</source>
        <translation>einfaches Dekodieren {plain}</translation>
    </message>
</context>
<context>
    <name>SpeculationPanel</name>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Speed now</source>
        <translation>Aktuelle Geschwindigkeit</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Figures of speculation</source>
        <translation>Zahlen der Spekulation</translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation>Richtige Vermutungen nach Position</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>Vermutungen je Durchlauf</translation>
    </message>
</context>
<context>
    <name>SpeculationSwitch</name>
    <message>
        <source>Speculation</source>
        <translation>Spekulation</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Decode plainly, one token a pass; the text is the same</source>
        <translation>Einfach dekodieren, ein Token je Durchlauf; der Text ist derselbe</translation>
    </message>
    <message>
        <source>Speculation is not available: {reason}</source>
        <translation>Spekulation ist nicht verfügbar: {reason}</translation>
    </message>
    <message>
        <source>Guess as many tokens ahead as pay by what was measured, and none when none pay</source>
        <translation>So viele Tokens im Voraus vermuten, wie sich nach dem Gemessenen lohnen, und keine, wenn sich keine lohnen</translation>
    </message>
    <message>
        <source>Always guess, the same number of tokens in each pass</source>
        <translation>Immer vermuten, in jedem Durchlauf gleich viele Tokens</translation>
    </message>
</context>
<context>
    <name>SpeedBars</name>
    <message>
        <source>Speed of both sides</source>
        <translation>Geschwindigkeit beider Seiten</translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Waiting for another Slipstream</source>
        <translation>Warten auf ein anderes Slipstream</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>Umwandeln</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messen</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Not available: {reason}</source>
        <translation>Nicht verfügbar: {reason}</translation>
    </message>
    <message>
        <source>The speedup is shown once an answer was measured.</source>
        <translation>Die Beschleunigung wird gezeigt, sobald eine Antwort gemessen wurde.</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Misst</translation>
    </message>
    <message>
        <source>{done} of {total} tokens of the prompt are read. The answer begins after that.</source>
        <translation>{done} von {total} Tokens des Prompts sind gelesen. Danach beginnt die Antwort.</translation>
    </message>
    <message>
        <source>Reading the prompt… {share}</source>
        <translation>Liest den Prompt … {share}</translation>
    </message>
    <message>
        <source>{switch} · too short to compare</source>
        <translation>{switch} · zu kurz zum Vergleichen</translation>
    </message>
    <message>
        <source>{switch} · not measured</source>
        <translation>{switch} · nicht gemessen</translation>
    </message>
    <message>
        <source>The model writes one token a pass. Auto and On guess several and check them at once.</source>
        <translation>Das Modell schreibt ein Token je Durchlauf. Auto und An vermuten mehrere und prüfen sie auf einmal.</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Auto decodes plainly now.</source>
        <translation>Auto dekodiert gerade einfach.</translation>
    </message>
    <message>
        <source>Auto · off</source>
        <translation>Auto · aus</translation>
    </message>
    <message>
        <source>So far this answer came at {worth} the plain speed.</source>
        <translation>Bisher kam diese Antwort mit {worth} der einfachen Geschwindigkeit.</translation>
    </message>
    <message>
        <source>Auto · off · {worth}</source>
        <translation>Auto · aus · {worth}</translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding.</source>
        <translation>Diese Antwort kommt mit {worth} der Geschwindigkeit einfachen Dekodierens.</translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding, which was measured at {plain}.</source>
        <translation>Diese Antwort kommt mit {worth} der Geschwindigkeit einfachen Dekodierens, die mit {plain} gemessen wurde.</translation>
    </message>
    <message>
        <source>{switch} · nothing guessed</source>
        <translation>{switch} · nichts vermutet</translation>
    </message>
</context>
<context>
    <name>StateChip</name>
    <message>
        <source>State of speculation</source>
        <translation>Zustand der Spekulation</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>On this device the text may differ from the one without drafts.</source>
        <translation>Auf diesem Gerät kann der Text von dem ohne Vermutungen abweichen.</translation>
    </message>
</context>
<context>
    <name>TokenDialog</name>
    <message>
        <source>Access token</source>
        <translation>Zugriffstoken</translation>
    </message>
    <message>
        <source>Some makers want to know who fetches their model. Accept their terms on {page}, make a token with read access in your settings there, and paste it here.</source>
        <translation>Manche Hersteller wollen wissen, wer ihr Modell holt. Auf {page} die Bedingungen annehmen, dort in den Einstellungen ein Token mit Lesezugriff anlegen und hier einfügen.</translation>
    </message>
    <message>
        <source>It is kept in your system&apos;s keyring, never in a file, and sent to {hub} only.</source>
        <translation>Es bleibt im Schlüsselbund des Systems, nie in einer Datei, und geht nur an {hub}.</translation>
    </message>
    <message>
        <source>Paste it here</source>
        <translation>Hier einfügen</translation>
    </message>
    <message>
        <source>Keep the token</source>
        <translation>Token behalten</translation>
    </message>
    <message>
        <source>Forget the kept one</source>
        <translation>Gespeichertes vergessen</translation>
    </message>
</context>
<context>
    <name>TokenPage</name>
    <message>
        <source>Back to chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation>Tokens der Antwort</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>{number} tokens per pass</source>
        <translation>{number} Tokens je Durchlauf</translation>
    </message>
    <message>
        <source>Leave the tokens, back to the chat</source>
        <translation>Tokens verlassen, zurück zum Chat</translation>
    </message>
</context>
<context>
    <name>TokenView</name>
    <message>
        <source>Tokens of the answer</source>
        <translation>Tokens der Antwort</translation>
    </message>
    <message>
        <source>Next token, and its pass</source>
        <translation>Nächstes Token und sein Durchlauf</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>Voriges Token</translation>
    </message>
    <message>
        <source>Next correction</source>
        <translation>Nächste Korrektur</translation>
    </message>
    <message>
        <source>Previous correction</source>
        <translation>Vorige Korrektur</translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>From repeated text (n-gram)</source>
        <translation>Aus wiederholtem Text (n-Gramm)</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Korrigiert</translation>
    </message>
    <message>
        <source>Bonus</source>
        <translation>Zugabe</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>Guessed from text that came before, and accepted by the big model.</source>
        <translation>Aus früherem Text vermutet und vom großen Modell angenommen.</translation>
    </message>
    <message>
        <source>From recorded answers (store)</source>
        <translation>Aus aufgezeichneten Antworten (Speicher)</translation>
    </message>
    <message>
        <source>Trained drafter</source>
        <translation>Trainierter Drafter</translation>
    </message>
    <message>
        <source>Guessed from recorded answers of this model, none of them from your chats, and accepted by it.</source>
        <translation>Aus aufgezeichneten Antworten dieses Modells vermutet, von denen keine aus Ihren Chats stammt, und von ihm angenommen.</translation>
    </message>
    <message>
        <source>Guessed by the small draft model, and accepted by the big one.</source>
        <translation>Vom kleinen Entwurfsmodell vermutet und vom großen angenommen.</translation>
    </message>
    <message>
        <source>Guessed by a small network from the big model&apos;s hidden states, and accepted by the big model.</source>
        <translation>Von einem kleinen Netz aus den verborgenen Zuständen des großen Modells vermutet und von diesem angenommen.</translation>
    </message>
    <message>
        <source>The guess was wrong: the big model put its own token in its place.</source>
        <translation>Die Vermutung war falsch: Das große Modell setzte sein eigenes Token an ihre Stelle.</translation>
    </message>
    <message>
        <source>Every guess was right: the big model added one more token in the same pass.</source>
        <translation>Jede Vermutung war richtig: Das große Modell fügte im selben Durchlauf noch ein Token an.</translation>
    </message>
    <message>
        <source>Nothing was guessed: one pass of the big model for one token.</source>
        <translation>Nichts wurde vermutet: ein Durchlauf des großen Modells für ein Token.</translation>
    </message>
    <message>
        <source>“{text}” – {origin}. {meaning}</source>
        <translation>„{text}“ – {origin}. {meaning}</translation>
    </message>
    <message>
        <source>Rejected: {guesses}.</source>
        <translation>Abgelehnt: {guesses}.</translation>
    </message>
    <message>
        <source>Pass {number} of {count}</source>
        <translation>Durchlauf {number} von {count}</translation>
    </message>
    <message>
        <source>nothing guessed</source>
        <translation>nichts vermutet</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation>{accepted} von {drafted} Vermutungen angenommen</translation>
    </message>
</context>
<context>
    <name>Trace</name>
    <message>
        <source>The passes of this answer were recorded by a newer Slipstream: update to see its tokens.</source>
        <translation>Die Durchläufe dieser Antwort wurden von einem neueren Slipstream aufgezeichnet: Aktualisieren Sie, um ihre Tokens zu sehen.</translation>
    </message>
    <message>
        <source>The record of this answer&apos;s passes is damaged: its tokens can&apos;t be shown.</source>
        <translation>Die Aufzeichnung der Durchläufe dieser Antwort ist beschädigt: Ihre Tokens können nicht gezeigt werden.</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Jump to latest ↓</source>
        <translation>Zum Neuesten springen ↓</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>New &amp;folder</source>
        <translation>Neuer &amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Bin</source>
        <translation>&amp;Papierkorb</translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation>Diesen Chat e&amp;xportieren …</translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation>&amp;Alle Chats exportieren …</translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>Chats &amp;importieren …</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>Chats (*.json *.md *.markdown *.txt)</source>
        <translation>Chats (*.json *.md *.markdown *.txt)</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message numerus="yes">
        <source>Imported %n chat(s).</source>
        <translation>
            <numerusform>%n Chat importiert.</numerusform>
            <numerusform>%n Chats importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no open chat to export; choose one in the list first.</source>
        <translation>Es ist kein Chat offen, der exportiert werden könnte; wählen Sie zuerst einen in der Liste.</translation>
    </message>
    <message>
        <source>Export all chats</source>
        <translation>Alle Chats exportieren</translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat(s).</source>
        <translation>
            <numerusform>%n Chat exportiert.</numerusform>
            <numerusform>%n Chats exportiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>Markdown, to read (*.md)</source>
        <translation>Markdown, zum Lesen (*.md)</translation>
    </message>
    <message>
        <source>JSON, with everything (*.json)</source>
        <translation>JSON, mit allem (*.json)</translation>
    </message>
    <message>
        <source>{file} can&apos;t be read ({reason}); choose another file.</source>
        <translation>{file} lässt sich nicht lesen ({reason}); wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{file} could not be written ({reason}); choose another folder.</source>
        <translation>{file} konnte nicht geschrieben werden ({reason}); wählen Sie einen anderen Ordner.</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Attached files</source>
        <translation>Angehängte Dateien</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen …</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>wird gezählt …</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>TurnKeys</name>
    <message>
        <source>&amp;Edit the last message</source>
        <translation>Letzte Nachricht &amp;bearbeiten</translation>
    </message>
    <message>
        <source>Answer once &amp;more</source>
        <translation>Noch einmal ant&amp;worten</translation>
    </message>
    <message>
        <source>C&amp;ontinue the answer</source>
        <translation>Antwort &amp;fortsetzen</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation>Löschen rückgängig machen</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>„{title}“ gelöscht</translation>
    </message>
</context>
<context>
    <name>UpdateDialog</name>
    <message>
        <source>Check for updates</source>
        <translation>Nach neuer Version sehen</translation>
    </message>
    <message>
        <source>Asking whether a newer version is out…</source>
        <translation>Fragt, ob eine neuere Version erschienen ist …</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Was neu ist</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>You have {version}, the newest version.</source>
        <translation>Sie haben {version}, die neueste Version.</translation>
    </message>
    <message>
        <source>Slipstream {version} came out on {date}; you have {own}.
Get it from {address}</source>
        <translation>Slipstream {version} ist am {date} erschienen; Sie haben {own}.
Sie bekommen es unter {address}</translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>Bearbeiten und neu senden</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
    <message>
        <source>… and {count} more characters, which Copy takes along</source>
        <translation>… und {count} weitere Zeichen, die „Kopieren“ mitnimmt</translation>
    </message>
</context>
<context>
    <name>Worker</name>
    <message>
        <source>No model is loaded. Choose a pair at the top of the window.</source>
        <translation>Es ist kein Modell geladen. Wählen Sie oben im Fenster ein Modellpaar.</translation>
    </message>
    <message>
        <source>The engine ended without a result. Send the message again.</source>
        <translation>Die Berechnung endete ohne Ergebnis. Senden Sie die Nachricht noch einmal.</translation>
    </message>
    <message>
        <source>Something went wrong inside Slipstream: {cause}; details are in {file}</source>
        <translation>In Slipstream ist etwas schiefgegangen: {cause}; Einzelheiten stehen in {file}</translation>
    </message>
</context>
<context>
    <name>Worth</name>
    <message>
        <source>Nothing was guessed, so every pass was a plain one.</source>
        <translation>Nichts wurde vermutet, also war jeder Durchlauf ein einfacher.</translation>
    </message>
    <message>
        <source>Nothing was guessed yet.</source>
        <translation>Noch wurde nichts vermutet.</translation>
    </message>
    <message>
        <source>Plain decoding was not measured, so there is nothing to compare with.</source>
        <translation>Einfaches Dekodieren wurde nicht gemessen, deshalb gibt es nichts zum Vergleichen.</translation>
    </message>
    <message>
        <source>Plain decoding has not been measured yet, so there is nothing to compare with.</source>
        <translation>Einfaches Dekodieren wurde noch nicht gemessen, deshalb gibt es nichts zum Vergleichen.</translation>
    </message>
    <message>
        <source>Too few tokens to compare: a speedup is shown from {count} on.</source>
        <translation>Zu wenige Tokens zum Vergleichen: Eine Beschleunigung wird ab {count} gezeigt.</translation>
    </message>
</context>
<context>
    <name>_WorkBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
</context>
</TS>
