<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
</TS>
