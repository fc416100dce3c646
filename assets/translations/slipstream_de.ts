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
    <name>Composer</name>
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
        <source>Stop the answer</source>
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
    <name>FetchPage</name>
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
    <name>NoticeBoard</name>
    <message>
        <source>Dismiss</source>
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
        <source>Leave the search</source>
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
</TS>
