<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Slipstream</source>
        <translation>关于 Slipstream</translation>
    </message>
    <message>
        <source>Parts of the program</source>
        <translation>程序的组成部分</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Chat with language models on your own processor. Slipstream is free software under the Apache License 2.0; it is made of the parts below, each under its own licence.</source>
        <translation>在您自己的处理器上与语言模型聊天。Slipstream 是遵循 Apache 许可证 2.0 的自由软件，由以下各部分组成，每个部分都有各自的许可证。</translation>
    </message>
    <message>
        <source>Licence: {name}</source>
        <translation>许可证：{name}</translation>
    </message>
    <message>
        <source>Compiled in:</source>
        <translation>编译在内：</translation>
    </message>
    <message>
        <source>Slipstream uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They lie in the program&apos;s folder as libraries of their own, in the folders PySide6 and shiboken6: you may replace them by versions that you have changed. Their source is at {qt} and {pyside}.</source>
        <translation>Slipstream 依据 GNU 宽通用公共许可证第 3 版使用 Qt 和 PySide6。它们以独立的库的形式位于程序文件夹的 PySide6 和 shiboken6 文件夹中：您可以用自己修改过的版本替换它们。其源代码位于 {qt} 和 {pyside}。</translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Its answer appears here.</source>
        <translation>它的回答会显示在这里。</translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Where each token came from</source>
        <translation>每个词元的来源</translation>
    </message>
    <message>
        <source>How this answer was made</source>
        <translation>这个回答是如何产生的</translation>
    </message>
    <message>
        <source>Copy the answer as Markdown</source>
        <translation>以 Markdown 复制回答</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Drop files to attach them</source>
        <translation>拖放文件即可添加为附件</translation>
    </message>
    <message>
        <source>&amp;Attach files…</source>
        <translation>添加附件(&amp;A)…</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>Text, code, PDF and Word</source>
        <translation>文本、代码、PDF 和 Word</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message numerus="yes">
        <source>{name} does not fit: it is {count} token(s) more than this model has room for. Attach the part that matters.</source>
        <translation>
            <numerusform>{name} 放不下：比此模型的剩余空间多出 {count} 个词元。请只添加重要的部分。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} token(s)</source>
        <translation>
            <numerusform>{count} 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} is a picture, and the models here read text only.</source>
        <translation>{name} 是图片，而这里的模型只能读取文本。</translation>
    </message>
    <message>
        <source>{name} is not text. Save it as text, PDF or Word (.docx), and attach that.</source>
        <translation>{name} 不是文本。请将其保存为文本、PDF 或 Word (.docx) 后再添加。</translation>
    </message>
    <message>
        <source>{name} is a folder. Attach the files in it.</source>
        <translation>{name} 是文件夹。请添加其中的文件。</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} 是空的。</translation>
    </message>
    <message>
        <source>{name} can&apos;t be read: {detail}. Check that it is there and that you may open it.</source>
        <translation>无法读取 {name}：{detail}。请检查文件是否存在以及您是否有权打开它。</translation>
    </message>
    <message>
        <source>{name} is damaged. Save it anew in its own program, and attach that.</source>
        <translation>{name} 已损坏。请在其原来的程序中重新保存后再添加。</translation>
    </message>
    <message>
        <source>{name} is protected by a password. Save a copy without one, and attach that.</source>
        <translation>{name} 受密码保护。请保存一份没有密码的副本后再添加。</translation>
    </message>
    <message>
        <source>{name} holds pictures of pages but no text. Run text recognition on it first.</source>
        <translation>{name} 只有页面的图片，没有文本。请先进行文字识别。</translation>
    </message>
    <message>
        <source>{name} is larger than any model can read. Attach the part that matters.</source>
        <translation>{name} 太大，任何模型都无法读取。请只添加重要的部分。</translation>
    </message>
    <message>
        <source>{name} took too long to read. Attach it as plain text.</source>
        <translation>读取 {name} 花费的时间太长。请以纯文本形式添加。</translation>
    </message>
    <message>
        <source>{name} takes too much memory to read. Attach it as plain text.</source>
        <translation>读取 {name} 需要的内存太多。请以纯文本形式添加。</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Bin</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>已删除的聊天</translation>
    </message>
    <message>
        <source>Text of the deleted chat</source>
        <translation>已删除聊天的文本</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation>清空回收站…</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Delete “{title}” for good? It can&apos;t be brought back.</source>
        <translation>要永久删除“{title}”吗？删除后无法恢复。</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>永久删除</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s) for good? They can&apos;t be brought back.</source>
        <translation>
            <numerusform>要永久删除 %n 个聊天吗？删除后无法恢复。</numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days.</source>
        <translation>已删除的聊天会在这里保留 30 天。</translation>
    </message>
    <message>
        <source>The bin is empty. A chat that you delete stays here for 30 days, and can be restored.</source>
        <translation>回收站是空的。删除的聊天会在这里保留 30 天，可以恢复。</translation>
    </message>
</context>
<context>
    <name>BusyBar</name>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>“{title}” is being answered. You can send this when the answer has ended.</source>
        <translation>正在回答“{title}”。回答结束后即可发送。</translation>
    </message>
</context>
<context>
    <name>CardBox</name>
    <message>
        <source>The picture is in the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The Markdown text is in the clipboard.</source>
        <translation>Markdown 文本已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Saved: {files}</source>
        <translation>已保存：{files}</translation>
    </message>
    <message>
        <source>Picture, Markdown and JSON (*.png)</source>
        <translation>图片、Markdown 和 JSON (*.png)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save the card</source>
        <translation>保存卡片</translation>
    </message>
    <message>
        <source>With prompt and answer</source>
        <translation>包含提示词和回答</translation>
    </message>
    <message>
        <source>The card says nothing of your conversation unless you tick this.</source>
        <translation>除非勾选此项，否则卡片不会透露您的对话内容。</translation>
    </message>
    <message>
        <source>Colours of the card</source>
        <translation>卡片的颜色</translation>
    </message>
    <message>
        <source>Colours of the window</source>
        <translation>窗口的颜色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>以 Markdown 复制</translation>
    </message>
    <message>
        <source>Share it</source>
        <translation>分享</translation>
    </message>
    <message>
        <source>A card of this run: what was measured, on which machine, with which models and settings.</source>
        <translation>本次运行的卡片：测量了什么，在哪台计算机上，使用了哪些模型和设置。</translation>
    </message>
</context>
<context>
    <name>ChatBar</name>
    <message>
        <source>Settings of this chat (Ctrl+.)</source>
        <translation>此聊天的设置 (Ctrl+.)</translation>
    </message>
    <message numerus="yes">
        <source>{preset} · %n change(s)</source>
        <translation>
            <numerusform>{preset} · %n 处更改</numerusform>
        </translation>
    </message>
    <message>
        <source>{preset} settings</source>
        <translation>{preset}设置</translation>
    </message>
    <message>
        <source>Settings of this chat: {what}</source>
        <translation>此聊天的设置：{what}</translation>
    </message>
</context>
<context>
    <name>ChatDelegate</name>
    <message>
        <source>Name of the folder</source>
        <translation>文件夹名称</translation>
    </message>
    <message>
        <source>Title of the chat</source>
        <translation>聊天标题</translation>
    </message>
</context>
<context>
    <name>ChatDialog</name>
    <message>
        <source>Settings of this chat</source>
        <translation>此聊天的设置</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Takes back everything that was changed for this chat</source>
        <translation>撤销对此聊天的所有更改</translation>
    </message>
    <message>
        <source>At most 16 texts of at most 200 characters: the last ones that fitted are in force.</source>
        <translation>最多 16 段文本，每段最多 200 个字符：当前生效的是最后一次符合要求的内容。</translation>
    </message>
    <message>
        <source>A seed is a whole number below 2^63: the last one that was is in force.</source>
        <translation>种子是小于 2^63 的整数：当前生效的是最后一次有效的值。</translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation>太长了：当前生效的是之前符合要求的内容。</translation>
    </message>
    <message>
        <source>Use the last answer&apos;s: {seed}</source>
        <translation>使用上一个回答的种子：{seed}</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Choice of words</source>
        <translation>用词</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Conversations</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Open the chat, or open and close the section</source>
        <translation>打开聊天，或展开、折叠分组</translation>
    </message>
    <message>
        <source>Close the section</source>
        <translation>折叠分组</translation>
    </message>
    <message>
        <source>Open the section</source>
        <translation>展开分组</translation>
    </message>
    <message>
        <source>Menu of the chat: pin, move to a folder, export</source>
        <translation>聊天菜单：置顶、移到文件夹、导出</translation>
    </message>
    <message>
        <source>Remove folder, keep its chats</source>
        <translation>移除文件夹，保留其中的聊天</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移到文件夹</translation>
    </message>
    <message>
        <source>Out of its folder</source>
        <translation>移出文件夹</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>ChatModel</name>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n 个聊天</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>{section}, {chats}, {state}</source>
        <translation>{section}，{chats}，{state}</translation>
    </message>
    <message>
        <source>{title}: {snippet}</source>
        <translation>{title}：{snippet}</translation>
    </message>
    <message>
        <source>{title}, being read</source>
        <translation>{title}，正在阅读</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>{title} (branch)</source>
        <translation>{title}（分支）</translation>
    </message>
</context>
<context>
    <name>ChatsPage</name>
    <message>
        <source>How answers are made where a chat has chosen nothing else.</source>
        <translation>聊天没有另行选择时，回答的生成方式。</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>These count for every chat that has no value of its own.</source>
        <translation>这些适用于没有单独设置的所有聊天。</translation>
    </message>
    <message>
        <source>This is too long: what fitted before is in force.</source>
        <translation>太长了：当前生效的是之前符合要求的内容。</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
</context>
<context>
    <name>ChipAdvice</name>
    <message>
        <source>Draft model or trained drafter</source>
        <translation>草稿模型或训练式草稿器</translation>
    </message>
    <message>
        <source>this pair has none</source>
        <translation>此组合没有</translation>
    </message>
    <message>
        <source>Let Auto decide</source>
        <translation>交给“自动”决定</translation>
    </message>
    <message>
        <source>Choose models…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>Show all figures</source>
        <translation>显示所有数据</translation>
    </message>
    <message>
        <source>Find a draft for this model…</source>
        <translation>为此模型查找草稿模型…</translation>
    </message>
    <message>
        <source>Fetch {pair}</source>
        <translation>下载 {pair}</translation>
    </message>
    <message>
        <source>Use {pair}</source>
        <translation>使用 {pair}</translation>
    </message>
</context>
<context>
    <name>ChipPopover</name>
    <message>
        <source>Speculation: {state}</source>
        <translation>推测：{state}</translation>
    </message>
    <message>
        <source>What can guess with this pair</source>
        <translation>此组合可用的猜测来源</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>CodeText</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>{processor}, {cores}, {memory}</source>
        <translation>{processor}，{cores}，{memory}</translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 个核心</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %n token(s)</source>
        <translation>
            <numerusform>最多 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>speculation: {mode}</source>
        <translation>推测：{mode}</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>每秒词元数</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>首个词元用时</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Compare with &amp;plain decoding…</source>
        <translation>与普通解码比较(&amp;P)…</translation>
    </message>
    <message>
        <source>Choose a model at the top of the window first.</source>
        <translation>请先在窗口顶部选择模型。</translation>
    </message>
    <message>
        <source>The comparison has started</source>
        <translation>比较已开始</translation>
    </message>
    <message>
        <source>Cancelled. What was measured until then is kept.</source>
        <translation>已取消。此前测量的结果会保留。</translation>
    </message>
    <message>
        <source>Another model is being loaded, so the comparison ended.</source>
        <translation>正在加载其他模型，因此比较已结束。</translation>
    </message>
    <message>
        <source>The comparison has ended. {told}</source>
        <translation>比较已结束。{told}</translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation>正在等待模型加载…</translation>
    </message>
    <message>
        <source>Waiting for the answer in the chat to end…</source>
        <translation>正在等待聊天中的回答结束…</translation>
    </message>
    <message>
        <source>Warming up…</source>
        <translation>正在预热…</translation>
    </message>
    <message>
        <source>A comparison is running: messages are answered when it has ended.</source>
        <translation>比较正在进行：结束后才会回答消息。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Waiting for the comparison to end…</source>
        <translation>正在等待比较结束…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Plain decoding</source>
        <translation>普通解码</translation>
    </message>
    <message>
        <source>With speculation</source>
        <translation>使用推测</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message numerus="yes">
        <source>On, %n guess(es) a pass</source>
        <translation>
            <numerusform>开启，每轮 %n 个猜测</numerusform>
        </translation>
    </message>
    <message>
        <source>n-gram only</source>
        <translation>仅 n-gram</translation>
    </message>
    <message>
        <source>Draft model only</source>
        <translation>仅草稿模型</translation>
    </message>
    <message>
        <source>Trained drafter only</source>
        <translation>仅训练式草稿器</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
    <message>
        <source>seed {value}</source>
        <translation>种子 {value}</translation>
    </message>
    <message>
        <source>First difference at token {place}</source>
        <translation>第一处差异在第 {place} 个词元</translation>
    </message>
    <message>
        <source>Identical: {count} of {total} tokens</source>
        <translation>相同：{count} / {total} 个词元</translation>
    </message>
    <message numerus="yes">
        <source>Token for token the same text, in all %n answer(s).</source>
        <translation>
            <numerusform>全部 %n 个回答的文本逐词元相同。</numerusform>
        </translation>
    </message>
    <message>
        <source>the end</source>
        <translation>结尾</translation>
    </message>
    <message>
        <source>Plain decoding wrote {expected}, the other answer {found}.</source>
        <translation>普通解码写出 {expected}，另一个回答写出 {found}。</translation>
    </message>
    <message>
        <source>Two plain answers differ: this device does not repeat itself.</source>
        <translation>两个普通回答不同：此设备的结果不可重复。</translation>
    </message>
    <message>
        <source>This device rounds differently when it checks several tokens at once.</source>
        <translation>此设备一次检查多个词元时舍入方式不同。</translation>
    </message>
    <message>
        <source>The model&apos;s scores of the two are {margin} apart.</source>
        <translation>模型对两者的评分相差 {margin}。</translation>
    </message>
    <message>
        <source>as fast as plain decoding</source>
        <translation>与普通解码一样快</translation>
    </message>
    <message>
        <source>the speed of plain decoding: slower</source>
        <translation>普通解码速度：更慢</translation>
    </message>
    <message>
        <source>no faster and no slower than plain decoding</source>
        <translation>不比普通解码快，也不比它慢</translation>
    </message>
    <message>
        <source>one repeat: no spread known</source>
        <translation>只重复一次：波动未知</translation>
    </message>
    <message numerus="yes">
        <source>{least} to {most} in %n repeat(s), median shown</source>
        <translation>
            <numerusform>%n 次重复中为 {least} 至 {most}，显示中位数</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ended early: %n answer(s) were measured.</source>
        <translation>
            <numerusform>提前结束：测量了 %n 个回答。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was drafted: both did the same work, and the difference is chance.</source>
        <translation>没有猜测：两者做了同样的工作，差别只是偶然。</translation>
    </message>
    <message numerus="yes">
        <source>The answer is short (%n token(s)): its speed says little.</source>
        <translation>
            <numerusform>回答很短（%n 个词元）：其速度说明不了什么。</numerusform>
        </translation>
    </message>
    <message>
        <source>Other programs took up to {share} of the processor meanwhile.</source>
        <translation>期间其他程序最多占用了 {share} 的处理器。</translation>
    </message>
    <message>
        <source>{speculative} · plain {plain}</source>
        <translation>{speculative} · 普通 {plain}</translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation>每轮词元数</translation>
    </message>
    <message>
        <source>Whole answer</source>
        <translation>整个回答</translation>
    </message>
    <message>
        <source>Right guesses</source>
        <translation>正确的猜测</translation>
    </message>
</context>
<context>
    <name>CompareForm</name>
    <message numerus="yes">
        <source>With the %n message(s) before it</source>
        <translation>
            <numerusform>包含之前的 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>As set for the chat: {settings}</source>
        <translation>按聊天的设置：{settings}</translation>
    </message>
    <message>
        <source>Answer {number} of {total}: {side}</source>
        <translation>第 {number} 个回答，共 {total} 个：{side}</translation>
    </message>
    <message>
        <source>reading the prompt, {share}</source>
        <translation>正在读取提示词，{share}</translation>
    </message>
    <message numerus="yes">
        <source>about %n second(s) left</source>
        <translation>
            <numerusform>大约还剩 %n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>大约还剩 %n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>What should be answered by both?</source>
        <translation>要让两者回答什么？</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Start the comparison (Ctrl+Enter)</source>
        <translation>开始比较 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>End the comparison; what was measured is kept (Esc)</source>
        <translation>结束比较；已测量的结果会保留 (Esc)</translation>
    </message>
    <message>
        <source>Start the comparison</source>
        <translation>开始比较</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>比较进度</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Tokens at most</source>
        <translation>最多词元数</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Back to chat</source>
        <translation>返回聊天</translation>
    </message>
    <message>
        <source>End the comparison, or leave it</source>
        <translation>结束或离开比较</translation>
    </message>
    <message>
        <source>One prompt, answered by plain decoding and with speculation in turn, each time from empty caches. The text should be the same; how much sooner it comes is measured here.</source>
        <translation>同一个提示词，轮流用普通解码和推测来回答，每次都从空缓存开始。文本应当相同；这里测量的是能提前多久得到它。</translation>
    </message>
</context>
<context>
    <name>CompareResult</name>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach files (Ctrl+O)</source>
        <translation>添加附件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Pasted text.txt</source>
        <translation>粘贴的文本.txt</translation>
    </message>
    <message>
        <source>What you pasted</source>
        <translation>您粘贴的内容</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答 (Esc)</translation>
    </message>
    <message>
        <source>Send the message (Enter)</source>
        <translation>发送消息 (Enter)</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Answer started</source>
        <translation>开始回答</translation>
    </message>
    <message numerus="yes">
        <source>Answer finished, %n token(s)</source>
        <translation>
            <numerusform>回答完成，%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>The answer failed. {reason}</source>
        <translation>回答失败。{reason}</translation>
    </message>
    <message>
        <source>Waiting for the model to load…</source>
        <translation>正在等待模型加载…</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
</context>
<context>
    <name>Crash</name>
    <message>
        <source>Slipstream crashed the last time. A report lies in {file}; it was sent to nobody.</source>
        <translation>Slipstream 上次崩溃了。报告位于 {file}；它没有发送给任何人。</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>About this model</source>
        <translation>关于此模型</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>How this answer was made</source>
        <translation>这个回答是如何产生的</translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation>各位置的正确猜测</translation>
    </message>
    <message>
        <source>Show the tokens</source>
        <translation>显示词元</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>以文本复制</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>以 JSON 复制</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>DoctorDialog</name>
    <message>
        <source>Check this computer</source>
        <translation>检查这台计算机</translation>
    </message>
    <message>
        <source>Looking… The last check loads the starter model, which takes a while.</source>
        <translation>正在检查… 最后一项会加载入门模型，需要一些时间。</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>检查结果</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) found; each line ends with what to do.</source>
        <translation>
            <numerusform>发现 %n 个问题；每行末尾说明了该怎么做。</numerusform>
        </translation>
    </message>
    <message>
        <source>No problem was found.</source>
        <translation>没有发现问题。</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <source>What would you like to know?</source>
        <translation>您想知道什么？</translation>
    </message>
    <message>
        <source>Explain how a hash table works, with a short Python example</source>
        <translation>解释哈希表的工作原理，并给出一个简短的 Python 示例</translation>
    </message>
    <message>
        <source>Make a table of three sorting algorithms: idea, time, memory</source>
        <translation>制作一个包含三种排序算法的表格：思路、时间、内存</translation>
    </message>
    <message>
        <source>Rewrite this more clearly: the meeting was held by us on Monday</source>
        <translation>把这句话改得更清楚：会议于周一由我们进行了召开</translation>
    </message>
    <message>
        <source>Slipstream guesses several words ahead, and the model checks them all at once.</source>
        <translation>Slipstream 提前猜测多个词，模型一次性检查全部。</translation>
    </message>
</context>
<context>
    <name>Endings</name>
    <message numerus="yes">
        <source>%n earlier message(s) were left out of what the model reads.</source>
        <translation>
            <numerusform>模型读取时略去了之前的 %n 条消息。</numerusform>
        </translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>更改…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation>模型没有给出回答。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Leave out old messages and continue</source>
        <translation>略去旧消息并继续</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>The answer reached its length limit.</source>
        <translation>回答已达到长度上限。</translation>
    </message>
    <message>
        <source>The conversation fills what the model can read at once.</source>
        <translation>对话已占满模型一次能读取的内容。</translation>
    </message>
    <message>
        <source>This answer was interrupted when Slipstream ended.</source>
        <translation>Slipstream 结束时中断了这个回答。</translation>
    </message>
    <message>
        <source>This answer could not be finished.</source>
        <translation>这个回答未能完成。</translation>
    </message>
</context>
<context>
    <name>FactsBeside</name>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>about {needed} alone with {tokens} tokens, {free} is free</source>
        <translation>单独运行、{tokens} 个词元时约需 {needed}，可用 {free}</translation>
    </message>
    <message>
        <source>none known; repeated text is still guessed</source>
        <translation>没有已知的；重复文本仍会被猜测</translation>
    </message>
    <message>
        <source>{draft} (to fetch)</source>
        <translation>{draft}（需下载）</translation>
    </message>
</context>
<context>
    <name>FetchDesk</name>
    <message>
        <source>Some models were still being fetched when Slipstream ended.</source>
        <translation>Slipstream 退出时，有些模型还在下载。</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message>
        <source>{model} is ready.</source>
        <translation>{model} 已就绪。</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>{model} could not be fetched.</source>
        <translation>无法下载 {model}。</translation>
    </message>
    <message>
        <source>No keyring is there to keep the token: it holds until Slipstream ends.</source>
        <translation>没有可保存令牌的密钥环：令牌在 Slipstream 退出前有效。</translation>
    </message>
</context>
<context>
    <name>FetchPage</name>
    <message>
        <source>Models to fetch</source>
        <translation>可下载的模型</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>下载 {what}</translation>
    </message>
    <message>
        <source>Welcome to Slipstream</source>
        <translation>欢迎使用 Slipstream</translation>
    </message>
    <message>
        <source>{stage}: {done} of {total}</source>
        <translation>{stage}：{done} / {total}</translation>
    </message>
    <message>
        <source>Stopped. What has arrived is kept if it can be used.</source>
        <translation>已停止。已下载且可用的部分会保留。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Slipstream runs language models on this computer. It needs one to begin with; after this download it works without a network.</source>
        <translation>Slipstream 在这台计算机上运行语言模型。首先需要一个模型；下载之后无需网络即可使用。</translation>
    </message>
    <message>
        <source>The larger model answers; the smaller one drafts for it, so the answer comes sooner.</source>
        <translation>较大的模型负责回答；较小的模型为它起草，让回答来得更快。</translation>
    </message>
    <message>
        <source>This model is not on this computer yet.</source>
        <translation>这台计算机上还没有此模型。</translation>
    </message>
    <message numerus="yes">
        <source>Model(s)</source>
        <translation>
            <numerusform>模型</numerusform>
        </translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Checked by</source>
        <translation>校验方式</translation>
    </message>
    <message>
        <source>SHA-256 of the whole file</source>
        <translation>整个文件的 SHA-256</translation>
    </message>
    <message>
        <source>or, if that fails, {place}</source>
        <translation>如果失败，则从 {place}</translation>
    </message>
    <message>
        <source>Slipstream&apos;s own files</source>
        <translation>Slipstream 自带的文件</translation>
    </message>
    <message>
        <source>the Python package index</source>
        <translation>Python 软件包索引</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset: {name}</source>
        <translation>重置：{name}</translation>
    </message>
    <message>
        <source>Back to {value}</source>
        <translation>恢复为 {value}</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已更改</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{factor}× plain decoding</source>
        <translation>普通解码的 {factor} 倍</translation>
    </message>
    <message>
        <source>{rate} of the guesses right</source>
        <translation>{rate} 的猜测正确</translation>
    </message>
</context>
<context>
    <name>FilesPage</name>
    <message>
        <source>Folder of Slipstream&apos;s files</source>
        <translation>Slipstream 文件所在的文件夹</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Models, chats, settings and the error log lie in this folder:</source>
        <translation>模型、聊天、设置和错误日志都在此文件夹中：</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>The models run on this computer. What you write, what they answer and the files you attach stay here; Slipstream sends none of it anywhere.</source>
        <translation>模型在这台计算机上运行。您写的内容、模型的回答以及您添加的文件都留在这里；Slipstream 不会把其中任何内容发送到别处。</translation>
    </message>
    <message>
        <source>It uses the network only when you ask for it: to fetch a model, or to look for an update. There is no account, no telemetry and no advertising.</source>
        <translation>只有在您要求时才使用网络：下载模型或检查更新。没有账户，没有遥测，也没有广告。</translation>
    </message>
    <message>
        <source>An error is written to the log in the folder above, and to nowhere else.</source>
        <translation>错误只会写入上述文件夹中的日志，不会写到别处。</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>在此聊天中查找</translation>
    </message>
    <message>
        <source>{number} of {all}</source>
        <translation>{number} / {all}</translation>
    </message>
    <message numerus="yes">
        <source>%n occurrence(s)</source>
        <translation>
            <numerusform>%n 处匹配</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Find the next occurrence</source>
        <translation>查找下一处</translation>
    </message>
    <message>
        <source>Find the previous occurrence</source>
        <translation>查找上一处</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>Previous occurrence</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Next occurrence</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
</context>
<context>
    <name>Gauge</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} / {limit} 个词元</translation>
    </message>
    <message numerus="yes">
        <source>{numbers} · %n message(s) left out</source>
        <translation>
            <numerusform>{numbers} · 略去 %n 条消息</numerusform>
        </translation>
    </message>
    <message>
        <source>{numbers} · full</source>
        <translation>{numbers} · 已满</translation>
    </message>
    <message>
        <source>{numbers} · nearly full</source>
        <translation>{numbers} · 快满了</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Conversation so far</source>
        <translation>至今的对话</translation>
    </message>
    <message>
        <source>Attached files</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>What you are writing</source>
        <translation>您正在写的内容</translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation>留给回答的空间</translation>
    </message>
    <message>
        <source>What the model reads, in tokens</source>
        <translation>模型读取的内容（以词元计）</translation>
    </message>
</context>
<context>
    <name>GetTab</name>
    <message>
        <source>Models to get</source>
        <translation>可获取的模型</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Search the hub</source>
        <translation>搜索 Hub</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message numerus="yes">
        <source>On the hub: %n result(s)</source>
        <translation>
            <numerusform>Hub 上的结果：%n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Pairs that Slipstream knows</source>
        <translation>Slipstream 已知的组合</translation>
    </message>
    <message>
        <source>Not yet</source>
        <translation>尚不支持</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>In the queue</source>
        <translation>在队列中</translation>
    </message>
    <message numerus="yes">
        <source>%Ln download(s) a month</source>
        <translation>
            <numerusform>每月 %Ln 次下载</numerusform>
        </translation>
    </message>
    <message>
        <source>asks for consent</source>
        <translation>需要同意条款</translation>
    </message>
    <message>
        <source>Does not run</source>
        <translation>无法运行</translation>
    </message>
    <message>
        <source>On the hub</source>
        <translation>Hub 上</translation>
    </message>
    <message>
        <source>The hub has no model called “{name}”.</source>
        <translation>Hub 上没有名为“{name}”的模型。</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>Choose a model to read about it.</source>
        <translation>选择一个模型以查看其说明。</translation>
    </message>
    <message>
        <source>The larger model answers; the smaller one drafts for it, so the answer comes sooner.</source>
        <translation>较大的模型负责回答；较小的模型为它起草，让回答来得更快。</translation>
    </message>
    <message>
        <source>One model; repeated text is guessed without a second one.</source>
        <translation>单个模型；重复文本无需第二个模型即可猜测。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>nothing more</source>
        <translation>无需更多</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>下载 {what}</translation>
    </message>
    <message>
        <source>Search huggingface.co, as in: Qwen3 8B</source>
        <translation>搜索 huggingface.co，例如：Qwen3 8B</translation>
    </message>
    <message>
        <source>Search models on the hub</source>
        <translation>在 Hub 上搜索模型</translation>
    </message>
    <message>
        <source>Kind of model</source>
        <translation>模型类型</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有类型</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>What speculation does, and what it is worth (Ctrl+Shift+P)</source>
        <translation>推测的作用及其价值 (Ctrl+Shift+P)</translation>
    </message>
    <message>
        <source>Show or hide the speculation panel</source>
        <translation>显示或隐藏推测面板</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Guesses several tokens ahead and lets the model check them at once: the same text, sooner</source>
        <translation>提前猜测多个词元，让模型一次性检查：文本相同，但更快</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>{file} is larger than {size} MB; import a smaller file.</source>
        <translation>{file} 大于 {size} MB；请导入较小的文件。</translation>
    </message>
    <message>
        <source>{file} holds no chats of Slipstream; choose a file that Slipstream exported.</source>
        <translation>{file} 中没有 Slipstream 的聊天；请选择由 Slipstream 导出的文件。</translation>
    </message>
    <message>
        <source>{file} was written by another version of Slipstream; update Slipstream.</source>
        <translation>{file} 由其他版本的 Slipstream 写入；请更新 Slipstream。</translation>
    </message>
    <message>
        <source>{file} is damaged, so nothing of it was imported; export it once more.</source>
        <translation>{file} 已损坏，因此没有导入任何内容；请重新导出。</translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. There was no backup yet, so the list starts empty.</source>
        <translation>您的聊天文件已损坏，保留为 {file}。还没有备份，因此列表是空的。</translation>
    </message>
    <message>
        <source>The file of your chats was damaged and is kept as {file}. You see the backup of {time}.</source>
        <translation>您的聊天文件已损坏，保留为 {file}。您看到的是 {time} 的备份。</translation>
    </message>
    <message>
        <source>Today&apos;s backup of your chats failed. {reason}</source>
        <translation>今天的聊天备份失败。{reason}</translation>
    </message>
    <message>
        <source>{file} is no text in UTF-8; save it as UTF-8 and import it again.</source>
        <translation>{file} 不是 UTF-8 文本；请另存为 UTF-8 后重新导入。</translation>
    </message>
    <message>
        <source>{file} holds no text; choose another file.</source>
        <translation>{file} 中没有文本；请选择其他文件。</translation>
    </message>
    <message>
        <source>These chats were written by a newer Slipstream; update it or choose another SLIPSTREAM_HOME.</source>
        <translation>这些聊天由较新的 Slipstream 写入；请更新，或选择其他 SLIPSTREAM_HOME。</translation>
    </message>
    <message>
        <source>Another program keeps {file} locked; close it and try again.</source>
        <translation>另一个程序锁定了 {file}；请关闭该程序后重试。</translation>
    </message>
    <message>
        <source>The file of your chats is damaged; start Slipstream again, and it restores the last backup.</source>
        <translation>您的聊天文件已损坏；请重新启动 Slipstream，它会恢复最近的备份。</translation>
    </message>
    <message>
        <source>The disk failed while {file} was in use; check the disk, then try again.</source>
        <translation>使用 {file} 时磁盘出错；请检查磁盘后重试。</translation>
    </message>
    <message>
        <source>This chat no longer exists; start a new one.</source>
        <translation>此聊天已不存在；请开始新的聊天。</translation>
    </message>
    <message>
        <source>Your chats could not be read or written ({reason}); start Slipstream again.</source>
        <translation>无法读取或写入您的聊天（{reason}）；请重新启动 Slipstream。</translation>
    </message>
    <message>
        <source>Slipstream is already running with the chats in {folder}; use its window, or choose another SLIPSTREAM_HOME.</source>
        <translation>Slipstream 已在使用 {folder} 中的聊天运行；请使用它的窗口，或选择其他 SLIPSTREAM_HOME。</translation>
    </message>
    <message>
        <source>The disk is full, so your chats can&apos;t be saved; free some space where {folder} lies.</source>
        <translation>磁盘已满，无法保存您的聊天；请在 {folder} 所在的磁盘上腾出空间。</translation>
    </message>
    <message>
        <source>Slipstream can&apos;t write to {folder}; allow it to, or choose another SLIPSTREAM_HOME.</source>
        <translation>Slipstream 无法写入 {folder}；请授予权限，或选择其他 SLIPSTREAM_HOME。</translation>
    </message>
</context>
<context>
    <name>HubDetails</name>
    <message>
        <source>Show its files</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>正在询问 Hub…</translation>
    </message>
    <message>
        <source>Slipstream can&apos;t run this: {reason}.</source>
        <translation>Slipstream 无法运行它：{reason}。</translation>
    </message>
    <message>
        <source>Its makers want to know who fetches it: accept their terms on the model&apos;s page, and give your access token.</source>
        <translation>制作者希望知道谁在下载：请在模型页面接受其条款，并提供您的访问令牌。</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>It holds no model that Slipstream reads.</source>
        <translation>其中没有 Slipstream 能读取的模型。</translation>
    </message>
    <message>
        <source>Access token…</source>
        <translation>访问令牌…</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>&amp;Which one</source>
        <translation>选择哪一个(&amp;W)</translation>
    </message>
    <message>
        <source>Which one</source>
        <translation>选择哪一个</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Fetch {what}</source>
        <translation>下载 {what}</translation>
    </message>
    <message>
        <source>This one can&apos;t run: {reason}.</source>
        <translation>这个无法运行：{reason}。</translation>
    </message>
    <message>
        <source>It is installed already.</source>
        <translation>已经安装。</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import a model</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <source>Import “{name}” as a model?</source>
        <translation>要将“{name}”作为模型导入吗？</translation>
    </message>
    <message>
        <source>Reading it, and measuring how fast each format of its weights is here…</source>
        <translation>正在读取模型，并测量每种权重格式在这里的速度…</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>读取模型</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>In which format are its weights to be kept? Smaller ones take less memory and are a little less exact.</source>
        <translation>权重用哪种格式保存？较小的格式占用更少内存，但精度略低。</translation>
    </message>
    <message>
        <source>It is copied to Slipstream&apos;s models; what you have stays as it is.</source>
        <translation>它会被复制到 Slipstream 的模型中；原文件保持不变。</translation>
    </message>
    <message>
        <source>at most {number} tokens/s here</source>
        <translation>这里最多 {number} 词元/秒</translation>
    </message>
    <message>
        <source>suggested</source>
        <translation>推荐</translation>
    </message>
</context>
<context>
    <name>Insight</name>
    <message>
        <source>&amp;Tokens of the last answer</source>
        <translation>上一个回答的词元(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;int right guesses</source>
        <translation>为正确的猜测着色(&amp;I)</translation>
    </message>
    <message>
        <source>The first token has not come yet.</source>
        <translation>第一个词元还没有出现。</translation>
    </message>
    <message>
        <source>No passes were recorded for this answer: it is older than this view.</source>
        <translation>这个回答没有记录各轮：它比此视图更早。</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Point at a token, or move with the arrow keys, to see the pass that it came from.</source>
        <translation>指向一个词元，或用方向键移动，即可查看它来自哪一轮。</translation>
    </message>
    <message>
        <source>Ctrl with an arrow key jumps to the next correction.</source>
        <translation>按住 Ctrl 加方向键可跳到下一处更正。</translation>
    </message>
</context>
<context>
    <name>InstalledTab</name>
    <message>
        <source>Installed models</source>
        <translation>已安装的模型</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>“{model}” is removed; its space is free again when Slipstream ends.</source>
        <translation>“{model}”已移除；Slipstream 退出后释放其空间。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>used {when}</source>
        <translation>使用于 {when}</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>尚未使用</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>No model is on this computer yet</source>
        <translation>这台计算机上还没有模型</translation>
    </message>
    <message>
        <source>Get one from the list of models, or import a file that you have.</source>
        <translation>从模型列表中获取一个，或导入已有的文件。</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Import a file…</source>
        <translation>导入文件…</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>From</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>In pairs</source>
        <translation>所属组合</translation>
    </message>
    <message>
        <source>It is in use: choose another model first.</source>
        <translation>正在使用：请先选择其他模型。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Find a draft…</source>
        <translation>查找草稿模型…</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>No program opens folders here. It is {path}</source>
        <translation>这里没有可打开文件夹的程序。位置：{path}</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>A &amp;GGUF file…</source>
        <translation>GGUF 文件(&amp;G)…</translation>
    </message>
    <message>
        <source>A &amp;folder (OpenVINO, checkpoint, drafter)…</source>
        <translation>文件夹（OpenVINO、检查点、草稿模型）(&amp;F)…</translation>
    </message>
</context>
<context>
    <name>Lesson</name>
    <message>
        <source>The cat sat [on the mat] and [looked out of the] ~door~ *window* [at the rain.]</source>
        <translation>猫坐[在垫子上]，[望着]~门~*窗*[外的雨。]</translation>
    </message>
    <message>
        <source>Sooner</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>[Right guesses] come several at a time.</source>
        <translation>[猜对的词]一次出现多个。</translation>
    </message>
    <message>
        <source>The same text</source>
        <translation>文本相同</translation>
    </message>
    <message>
        <source>~Wrong ones~ are *corrected* by the model.</source>
        <translation>~猜错的词~由模型*更正*。</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>私密</translation>
    </message>
    <message>
        <source>Nothing leaves this computer.</source>
        <translation>任何内容都不会离开这台计算机。</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>No program on this computer opens {address}</source>
        <translation>这台计算机上没有程序可以打开 {address}</translation>
    </message>
    <message>
        <source>Slipstream opens only web and mail addresses, so this one was not opened: {address}</source>
        <translation>Slipstream 只打开网页和邮件地址，因此没有打开：{address}</translation>
    </message>
    <message>
        <source>Show this picture from your computer: {path}</source>
        <translation>显示您计算机上的这张图片：{path}</translation>
    </message>
</context>
<context>
    <name>LoadRow</name>
    <message>
        <source>Stop loading</source>
        <translation>停止加载</translation>
    </message>
    <message>
        <source>{minutes}:{seconds}</source>
        <translation>{minutes}:{seconds}</translation>
    </message>
    <message>
        <source>{step} ({time})</source>
        <comment>a step of loading and the time since it began</comment>
        <translation>{step}（{time}）</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>正在读取模型</translation>
    </message>
    <message>
        <source>{step}: {percent} %</source>
        <translation>{step}：{percent}%</translation>
    </message>
    <message>
        <source>Converting the model, only this first time</source>
        <translation>正在转换模型，仅首次需要</translation>
    </message>
    <message>
        <source>Preparing the model for this processor</source>
        <translation>正在为此处理器准备模型</translation>
    </message>
    <message>
        <source>Warming up, and measuring the speed if that is new</source>
        <translation>正在预热，如有必要还会测量速度</translation>
    </message>
</context>
<context>
    <name>LookPage</name>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours of the window.</source>
        <translation>窗口的颜色。</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Also with Ctrl and plus, minus or 0.</source>
        <translation>也可以按 Ctrl 加 +、- 或 0。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Takes effect when Slipstream is started again.</source>
        <translation>重新启动 Slipstream 后生效。</translation>
    </message>
</context>
<context>
    <name>MachinePage</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>As the model allows</source>
        <translation>以模型允许的为准</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where the models run.</source>
        <translation>模型在哪里运行。</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>处理器线程</translation>
    </message>
    <message>
        <source>Fewer leave more of the processor to other programs.</source>
        <translation>越少，留给其他程序的处理器资源越多。</translation>
    </message>
    <message>
        <source>Longest context</source>
        <translation>最长上下文</translation>
    </message>
    <message>
        <source>In tokens. A shorter one keeps long chats from taking more memory.</source>
        <translation>以词元计。设得短一些可避免长聊天占用更多内存。</translation>
    </message>
    <message>
        <source>Takes effect when the model is loaded again.</source>
        <translation>重新加载模型后生效。</translation>
    </message>
    <message>
        <source>Load it again now</source>
        <translation>立即重新加载</translation>
    </message>
    <message>
        <source>{device} (not found)</source>
        <translation>{device}（未找到）</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>The last answer is not saved yet. Close once more to give it up.</source>
        <translation>最后一个回答还没有保存。再次关闭即放弃它。</translation>
    </message>
    <message>
        <source>{problem} Nothing is lost yet: Slipstream tries again each second.</source>
        <translation>{problem} 目前没有任何丢失：Slipstream 每秒重试一次。</translation>
    </message>
</context>
<context>
    <name>ManagerPage</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Back to chat</source>
        <translation>返回聊天</translation>
    </message>
    <message>
        <source>Leave the models</source>
        <translation>离开模型页面</translation>
    </message>
    <message>
        <source>Queue ({count})</source>
        <translation>队列 ({count})</translation>
    </message>
</context>
<context>
    <name>Memory</name>
    <message>
        <source>This pair needs about {needed} of memory, and {free} is free. It runs, but the computer may become slow.</source>
        <translation>此组合约需 {needed} 内存，可用 {free}。可以运行，但计算机可能变慢。</translation>
    </message>
    <message>
        <source>This pair needs about {needed} of memory, but only {free} is free. Close other programs or choose a smaller pair.</source>
        <translation>此组合约需 {needed} 内存，但只有 {free} 可用。请关闭其他程序或选择较小的组合。</translation>
    </message>
    <message>
        <source>Program and tokenizer</source>
        <translation>程序和分词器</translation>
    </message>
    <message>
        <source>File in memory, can be given back</source>
        <translation>内存中的文件，可释放</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Conversation (KV cache)</source>
        <translation>对话 (KV 缓存)</translation>
    </message>
    <message>
        <source>States of the conversation</source>
        <translation>对话的状态</translation>
    </message>
    <message>
        <source>Room to work</source>
        <translation>工作空间</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Chat</source>
        <translation>聊天(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>工具(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>新建聊天(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Search chats</source>
        <translation>搜索聊天(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>写消息(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Find in this chat</source>
        <translation>在此聊天中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Copy last answer</source>
        <translation>复制上一个回答(&amp;C)</translation>
    </message>
    <message>
        <source>Speculation &amp;panel</source>
        <translation>推测面板(&amp;P)</translation>
    </message>
    <message>
        <source>Chat &amp;list</source>
        <translation>聊天列表(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Check this &amp;computer…</source>
        <translation>检查这台计算机(&amp;C)…</translation>
    </message>
    <message>
        <source>Check for &amp;updates…</source>
        <translation>检查更新(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;About Slipstream</source>
        <translation>关于 Slipstream(&amp;A)</translation>
    </message>
    <message>
        <source>Th&amp;eme</source>
        <translation>主题(&amp;E)</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Previous version</source>
        <translation>上一个版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一个版本</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>第 {number} 个版本，共 {count} 个</translation>
    </message>
</context>
<context>
    <name>MessageEdit</name>
    <message>
        <source>Write a message</source>
        <translation>写消息</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter start a new line</source>
        <translation>Enter 发送，Shift 加 Enter 换行</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Start a new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Edit the message</source>
        <translation>编辑消息</translation>
    </message>
    <message>
        <source>Enter sends, Escape cancels</source>
        <translation>Enter 发送，Escape 取消</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>The version so far is kept, with its answers.</source>
        <translation>目前的版本及其回答会保留。</translation>
    </message>
    <message>
        <source>You can send this when the answer has ended.</source>
        <translation>回答结束后即可发送。</translation>
    </message>
</context>
<context>
    <name>MessageWidget</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Wait until the answer has ended, or stop it.</source>
        <translation>请等待回答结束，或停止它。</translation>
    </message>
    <message>
        <source>Open a new chat that holds everything up to here</source>
        <translation>打开一个包含到此为止全部内容的新聊天</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Answer this plainly and with speculation, and compare</source>
        <translation>分别用普通解码和推测回答此消息并比较</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>ModelManager</name>
    <message>
        <source>M&amp;odels…</source>
        <translation>模型(&amp;O)…</translation>
    </message>
    <message>
        <source>Importing {name}</source>
        <translation>正在导入 {name}</translation>
    </message>
    <message>
        <source>Checking {name}</source>
        <translation>正在校验 {name}</translation>
    </message>
    <message>
        <source>Every byte is as it should be.</source>
        <translation>每个字节都正确。</translation>
    </message>
    <message>
        <source>Wait for the import or check that is going on, or cancel it.</source>
        <translation>请等待正在进行的导入或校验，或将其取消。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Import a model</source>
        <translation>导入模型</translation>
    </message>
</context>
<context>
    <name>ModelWords</name>
    <message>
        <source>Block drafter (DFlash)</source>
        <translation>块草稿模型 (DFlash)</translation>
    </message>
    <message>
        <source>OpenVINO</source>
        <translation>OpenVINO</translation>
    </message>
    <message>
        <source>EAGLE head</source>
        <translation>EAGLE 头</translation>
    </message>
    <message>
        <source>the Hugging Face hub</source>
        <translation>Hugging Face Hub</translation>
    </message>
    <message>
        <source>the Python package index</source>
        <translation>Python 软件包索引</translation>
    </message>
    <message>
        <source>came with Slipstream</source>
        <translation>随 Slipstream 提供</translation>
    </message>
    <message>
        <source>imported from a file</source>
        <translation>从文件导入</translation>
    </message>
    <message>
        <source>no model files</source>
        <translation>没有模型文件</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/秒</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>剩余 %n 秒</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>剩余 %n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) left</source>
        <translation>
            <numerusform>剩余 %n 小时</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Needs</name>
    <message>
        <source>about {needed} of memory</source>
        <translation>约 {needed} 内存</translation>
    </message>
    <message>
        <source>{needs}; {free} is free</source>
        <translation>{needs}；可用 {free}</translation>
    </message>
    <message>
        <source>{needed}; {free} is free</source>
        <translation>{needed}；可用 {free}</translation>
    </message>
</context>
<context>
    <name>NoticeBoard</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pass(es)</source>
        <translation>
            <numerusform>%Ln 轮</numerusform>
        </translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} 词元/秒</translation>
    </message>
    <message>
        <source>{count} h ago</source>
        <translation>{count} 小时前</translation>
    </message>
    <message>
        <source>{count} min ago</source>
        <translation>{count} 分钟前</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>{count} s ago</source>
        <translation>{count} 秒前</translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Which models answer</source>
        <translation>由哪些模型回答</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>{model} — fetch {size}</source>
        <translation>{model} — 下载 {size}</translation>
    </message>
    <message>
        <source>Manage models…</source>
        <translation>管理模型…</translation>
    </message>
</context>
<context>
    <name>Pairing</name>
    <message>
        <source>F&amp;ind a draft for this model…</source>
        <translation>为此模型查找草稿模型(&amp;I)…</translation>
    </message>
    <message>
        <source>Fetch “{model}” first.</source>
        <translation>请先下载“{model}”。</translation>
    </message>
    <message>
        <source>Another trial is running</source>
        <translation>另一次试运行正在进行</translation>
    </message>
    <message>
        <source>Load this model first: a trial measures with it</source>
        <translation>请先加载此模型：试运行要用它来测量</translation>
    </message>
    <message>
        <source>A draft is being tried: messages are answered when that has ended.</source>
        <translation>正在试运行草稿模型：结束后才会回答消息。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The trial has ended: {times}× the speed of plain decoding</source>
        <translation>试运行结束：速度为普通解码的 {times} 倍</translation>
    </message>
    <message>
        <source>It reads inside the model, which is prepared anew for it; the chat stays.</source>
        <translation>它要读取模型内部，因此会重新准备模型；聊天会保留。</translation>
    </message>
    <message>
        <source>Hardly any gain is expected: it is too slow beside the model.</source>
        <translation>预计几乎没有提升：与模型相比它太慢。</translation>
    </message>
    <message>
        <source>About {least}× to {most}× by both models&apos; speed here, assuming {low} to {high} of its guesses are right.</source>
        <translation>按两个模型在这里的速度，约 {least} 到 {most} 倍，假定 {low} 到 {high} 的猜测正确。</translation>
    </message>
    <message>
        <source>Roughly {least}× to {most}× by both models&apos; size, assuming {low} to {high} of its guesses are right.</source>
        <translation>按两个模型的大小，大致 {least} 到 {most} 倍，假定 {low} 到 {high} 的猜测正确。</translation>
    </message>
    <message>
        <source>{times}×, measured</source>
        <translation>{times} 倍，实测</translation>
    </message>
    <message>
        <source>hardly any gain expected</source>
        <translation>预计几乎没有提升</translation>
    </message>
    <message>
        <source>{least}× to {most}× expected</source>
        <translation>预计 {least} 到 {most} 倍</translation>
    </message>
    <message>
        <source>How many guesses will be right is assumed: nobody knows before a trial. It differs by what you ask for.</source>
        <translation>有多少猜测会正确只是假定：试运行之前无人知道。它因所提的问题而异。</translation>
    </message>
    <message>
        <source>Getting the draft ready…</source>
        <translation>正在准备草稿模型…</translation>
    </message>
    <message>
        <source>Trying it with a few prompts of our own…</source>
        <translation>正在用几个内置提示词试运行…</translation>
    </message>
    <message>
        <source>Trying it: {plain} tokens/s plain, {drafted} with the draft</source>
        <translation>试运行：普通 {plain} 词元/秒，使用草稿模型 {drafted}</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}, with an earlier version</source>
        <translation>在此设备上实测 {times} 倍，{day}，使用较早的版本</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}: it is slower than plain decoding</source>
        <translation>在此设备上实测 {times} 倍，{day}：比普通解码慢</translation>
    </message>
    <message>
        <source>Measured {times}× on this machine, {day}</source>
        <translation>在此设备上实测 {times} 倍，{day}</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Find a draft</source>
        <translation>查找草稿模型</translation>
    </message>
    <message>
        <source>A draft is a smaller model that guesses ahead. The model checks its guesses several at once, so the same answer comes sooner.</source>
        <translation>草稿模型是一个提前猜测的小模型。模型一次检查它的多个猜测，因此同样的答案来得更快。</translation>
    </message>
    <message>
        <source>Drafts for {model}</source>
        <translation>{model} 的草稿模型</translation>
    </message>
</context>
<context>
    <name>PairingRow</name>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Fetch {size} and use</source>
        <translation>下载 {size} 并使用</translation>
    </message>
    <message>
        <source>Try 20 s</source>
        <translation>试运行 20 秒</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Trial</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Measures what it gains here, with a few prompts of our own</source>
        <translation>用几个内置提示词测量它在这里带来的提升</translation>
    </message>
</context>
<context>
    <name>PairingView</name>
    <message>
        <source>Drafts</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>Looking for drafts…</source>
        <translation>正在查找草稿模型…</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>No draft is known that fits this model. A smaller model of the same family does: fetch or import one.</source>
        <translation>没有已知的适合此模型的草稿模型。同一系列的较小模型即可：请下载或导入一个。</translation>
    </message>
    <message>
        <source>Hide what does not fit</source>
        <translation>隐藏不适合的</translation>
    </message>
    <message numerus="yes">
        <source>Show why %n model(s) do not fit</source>
        <translation>
            <numerusform>显示 %n 个模型不适合的原因</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Pairs</name>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>仍然加载</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Loading was stopped: no model is loaded.</source>
        <translation>已停止加载：没有加载模型。</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>加载</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Speed now</source>
        <translation>当前速度</translation>
    </message>
    <message>
        <source>Tokens (pieces of words) per second, guessing included: of the last second, and of the whole answer at its end.</source>
        <translation>每秒词元（词的片段）数，包括猜测：回答过程中是最近一秒的，结束时是整个回答的。</translation>
    </message>
    <message>
        <source>Plain speed</source>
        <translation>普通速度</translation>
    </message>
    <message>
        <source>How fast the big model is alone, without guesses. It is measured again and again, by a few passes inside the answers.</source>
        <translation>大模型单独运行、不作猜测时的速度。它通过回答中的少数几轮反复测量。</translation>
    </message>
    <message>
        <source>When the plain speed was measured last.</source>
        <translation>上次测量普通速度的时间。</translation>
    </message>
    <message>
        <source>Tokens per pass</source>
        <translation>每轮词元数</translation>
    </message>
    <message>
        <source>How many tokens each run of the big model gives: right guesses and one of its own. Alone it gives 1.</source>
        <translation>大模型每运行一次得到的词元数：正确的猜测加上它自己的一个。单独运行时为 1。</translation>
    </message>
    <message>
        <source>Right guesses</source>
        <translation>正确的猜测</translation>
    </message>
    <message>
        <source>Acceptance rate: guesses that the big model accepted / all guesses.</source>
        <translation>接受率：大模型接受的猜测 / 所有猜测。</translation>
    </message>
    <message>
        <source>Guessed by</source>
        <translation>猜测来源</translation>
    </message>
    <message>
        <source>How many guesses came from each source, and its share of all. A trained drafter is a small network that reads the big model&apos;s hidden states: DFlash guesses a block at once, EAGLE one token after the other.</source>
        <translation>各来源的猜测数量及其占全部的比例。训练式草稿器是读取大模型隐藏状态的小网络：DFlash 一次猜测整块，EAGLE 逐个猜测词元。</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>How often the big model ran to check guesses and add its own token.</source>
        <translation>大模型为检查猜测并添加自己的词元而运行的次数。</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>首个词元用时</translation>
    </message>
    <message>
        <source>Time from the request to the first token, reading the prompt included.</source>
        <translation>从发出请求到第一个词元的时间，包括读取提示词。</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Tokens that the model had to know before it could answer. Reused ones were known from earlier turns.</source>
        <translation>模型在回答之前必须读取的词元。重用的词元在之前的对话中已经读过。</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Tokens of the answer so far.</source>
        <translation>回答至今的词元数。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Tokens of prompt and answer, of those that the model can keep in mind.</source>
        <translation>提示词和回答的词元数，以及模型能记住的总数。</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Memory in which the models keep what they have read.</source>
        <translation>模型用来保存已读内容的内存。</translation>
    </message>
    <message>
        <source>Speed of this answer / plain speed. It is shown only when both were measured, over enough tokens.</source>
        <translation>此回答的速度 / 普通速度。只有两者都在足够多的词元上测量过才会显示。</translation>
    </message>
    <message>
        <source>Tokens per second from the start of the answer to now. The dashed line is the big model alone.</source>
        <translation>从回答开始到现在的每秒词元数。虚线表示大模型单独运行。</translation>
    </message>
    <message>
        <source>How often the first, second, third … guess of a pass was right. A guess counts only if all before it were right, so later ones are worth less.</source>
        <translation>每轮中第一、第二、第三……个猜测正确的频率。只有前面的猜测都正确时，一个猜测才算数，所以越靠后的价值越低。</translation>
    </message>
    <message>
        <source>Why so many tokens are guessed in a pass, by what was measured: one more guess is made as long as the tokens that it brings on average are worth the time that it takes.</source>
        <translation>根据测量结果，说明为什么每轮猜测这么多词元：只要平均带来的词元值得所花的时间，就多猜一个。</translation>
    </message>
    <message>
        <source>Send a message: the figures of its answer appear here.</source>
        <translation>发送一条消息：其回答的数据会显示在这里。</translation>
    </message>
    <message>
        <source>Plain decoding: one token a pass.</source>
        <translation>普通解码：每轮一个词元。</translation>
    </message>
    <message>
        <source>As fast as plain decoding</source>
        <translation>与普通解码一样快</translation>
    </message>
    <message>
        <source>Faster than plain decoding</source>
        <translation>比普通解码快</translation>
    </message>
    <message>
        <source>Slower than plain decoding</source>
        <translation>比普通解码慢</translation>
    </message>
    <message>
        <source>{accepted} of {drafted}</source>
        <translation>{accepted} / {drafted}</translation>
    </message>
    <message>
        <source>{count} reused</source>
        <translation>重用 {count} 个</translation>
    </message>
    <message>
        <source>{count} of {limit}</source>
        <translation>{count} / {limit}</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>measured {ago} in this answer</source>
        <translation>{ago}在此回答中测量</translation>
    </message>
    <message>
        <source>measured {ago} in an earlier answer</source>
        <translation>{ago}在之前的回答中测量</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>{name} is no picture that can be shown here.</source>
        <translation>{name} 不是能在这里显示的图片。</translation>
    </message>
    <message>
        <source>{name} has too many pixels to be shown here.</source>
        <translation>{name} 像素太多，无法在这里显示。</translation>
    </message>
    <message>
        <source>{name} is damaged and can&apos;t be shown.</source>
        <translation>{name} 已损坏，无法显示。</translation>
    </message>
    <message>
        <source>There is no file {path}</source>
        <translation>没有文件 {path}</translation>
    </message>
    <message>
        <source>{path} is no file.</source>
        <translation>{path} 不是文件。</translation>
    </message>
    <message>
        <source>{name} is too large to be shown here.</source>
        <translation>{name} 太大，无法在这里显示。</translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>Right guesses by their position in the pass</source>
        <translation>按每轮中的位置统计的正确猜测</translation>
    </message>
    <message>
        <source>position {position}: {rate}, {counts}</source>
        <translation>位置 {position}：{rate}，{counts}</translation>
    </message>
    <message>
        <source>Nothing guessed yet</source>
        <translation>尚未猜测</translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save these settings as a preset</source>
        <translation>将这些设置保存为预设</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>There is a preset with this name already.</source>
        <translation>已有同名的预设。</translation>
    </message>
    <message>
        <source>A name has 1 to 60 characters.</source>
        <translation>名称需为 1 到 60 个字符。</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Preview of the card</source>
        <translation>卡片预览</translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>New chats</source>
        <translation>新聊天</translation>
    </message>
    <message>
        <source>Speed and memory</source>
        <translation>速度和内存</translation>
    </message>
    <message>
        <source>Files and privacy</source>
        <translation>文件和隐私</translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>First</source>
        <translation>优先</translation>
    </message>
    <message>
        <source>Fetch this one before the others</source>
        <translation>先下载这个</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Gives up and deletes what has arrived</source>
        <translation>放弃并删除已下载的部分</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Access token…</source>
        <translation>访问令牌…</translation>
    </message>
</context>
<context>
    <name>QueueTab</name>
    <message>
        <source>Nothing is being fetched. What you choose under “Get models” comes here.</source>
        <translation>没有正在进行的下载。在“获取模型”中选择的内容会出现在这里。</translation>
    </message>
    <message>
        <source>Slipstream ended before these fetches were complete.</source>
        <translation>这些下载完成之前 Slipstream 已退出。</translation>
    </message>
    <message>
        <source>Continue all</source>
        <translation>全部继续</translation>
    </message>
    <message>
        <source>Fetch queue</source>
        <translation>下载队列</translation>
    </message>
</context>
<context>
    <name>ReasoningBlock</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the reasoning</source>
        <translation>复制思考过程</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Hide the reasoning</source>
        <translation>隐藏思考过程</translation>
    </message>
    <message>
        <source>Show the reasoning</source>
        <translation>显示思考过程</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>思考了 {seconds} 秒</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Thinking… {seconds} s</source>
        <translation>正在思考… {seconds} 秒</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message numerus="yes">
        <source>%n guess(es) a pass, the most that are made at once here.</source>
        <translation>
            <numerusform>每轮 %n 个猜测，这是这里一次能作的最多数量。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass, because the switch stands at On.</source>
        <translation>
            <numerusform>每轮 %n 个猜测，因为开关处于“开启”。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) a pass: one more would take {cost} ms and bring {gain} tokens, which does not pay.</source>
        <translation>
            <numerusform>每轮 %n 个猜测：再多一个需要 {cost} 毫秒，只带来 {gain} 个词元，并不划算。</numerusform>
        </translation>
    </message>
    <message>
        <source>Guesses cost more time here than they save, by what was measured.</source>
        <translation>根据测量结果，在这里猜测花费的时间多于节省的时间。</translation>
    </message>
    <message>
        <source>Nothing in the text repeats here.</source>
        <translation>这里的文本没有重复内容。</translation>
    </message>
    <message>
        <source>Plain decoding is measured for a moment, to compare with.</source>
        <translation>正在短暂测量普通解码，以便比较。</translation>
    </message>
    <message>
        <source>The drafter is tried again, to see whether it pays now.</source>
        <translation>再次尝试草稿模型，看看现在是否划算。</translation>
    </message>
    <message>
        <source>This pair has no draft model.</source>
        <translation>此组合没有草稿模型。</translation>
    </message>
    <message>
        <source>This pair has no trained drafter (DFlash or EAGLE).</source>
        <translation>此组合没有训练式草稿器（DFlash 或 EAGLE）。</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>生成方式</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Time of writing</source>
        <translation>书写用时</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Speculation switch</source>
        <translation>推测开关</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>每轮的猜测</translation>
    </message>
    <message>
        <source>Same text without speculation</source>
        <translation>不用推测时文本相同</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>Begun</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>as many as pay</source>
        <translation>以划算为限</translation>
    </message>
    <message>
        <source>yes, bit for bit</source>
        <translation>是，逐位相同</translation>
    </message>
    <message>
        <source>not certain on this machine</source>
        <translation>在这台计算机上无法确定</translation>
    </message>
</context>
<context>
    <name>RichText</name>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Show picture</source>
        <translation>显示图片</translation>
    </message>
</context>
<context>
    <name>Sections</name>
    <message>
        <source>Pinned</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>更早</translation>
    </message>
</context>
<context>
    <name>Seed</name>
    <message>
        <source>New for each answer</source>
        <translation>每个回答都不同</translation>
    </message>
    <message>
        <source>Always this one</source>
        <translation>始终使用这个</translation>
    </message>
    <message>
        <source>Seed as a number</source>
        <translation>数字形式的种子</translation>
    </message>
</context>
<context>
    <name>Segment</name>
    <message>
        <source>Speculation: {choice}</source>
        <translation>推测：{choice}</translation>
    </message>
</context>
<context>
    <name>Selectable</name>
    <message>
        <source>Copy as Markdown</source>
        <translation>以 Markdown 复制</translation>
    </message>
    <message>
        <source>Copy as shown</source>
        <translation>按显示的样子复制</translation>
    </message>
    <message>
        <source>Select the whole message</source>
        <translation>选择整条消息</translation>
    </message>
    <message>
        <source>Copy the link&apos;s address</source>
        <translation>复制链接地址</translation>
    </message>
</context>
<context>
    <name>SentFiles</name>
    <message>
        <source>Attached: {names}</source>
        <translation>附件：{names}</translation>
    </message>
</context>
<context>
    <name>SettingWords</name>
    <message>
        <source>A preset of your own.</source>
        <translation>您自己的预设。</translation>
    </message>
    <message>
        <source>Stop and say so</source>
        <translation>停止并提示</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>略去最早的消息</translation>
    </message>
    <message>
        <source>Keep the first and the last messages</source>
        <translation>保留最前和最后的消息</translation>
    </message>
    <message>
        <source>Off: one token at a time</source>
        <translation>关闭：一次一个词元</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>所有来源</translation>
    </message>
    <message>
        <source>Repeated text only</source>
        <translation>仅重复文本</translation>
    </message>
    <message>
        <source>The draft model only</source>
        <translation>仅草稿模型</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示词</translation>
    </message>
    <message>
        <source>Instructions that the model reads before the conversation, such as its role or its tone.</source>
        <translation>模型在对话之前读取的指令，例如它的角色或语气。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>In tokens, about three quarters of an English word each. The answer ends here at the latest.</source>
        <translation>以词元计，每个约为四分之三个英文单词。回答最晚在此结束。</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>停止于</translation>
    </message>
    <message>
        <source>Texts that end the answer where they appear, one a line. Write \n for a line break.</source>
        <translation>出现时即结束回答的文本，每行一个。用 \n 表示换行。</translation>
    </message>
    <message>
        <source>When the chat gets too long</source>
        <translation>聊天过长时</translation>
    </message>
    <message>
        <source>What happens when the conversation no longer fits into what the model can read.</source>
        <translation>当对话超出模型能读取的长度时如何处理。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again.</source>
        <translation>相同的种子和设置会再次给出相同的回答。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>How freely words are chosen. 0 always takes the likeliest; higher is more varied.</source>
        <translation>选词的自由程度。0 总是取最可能的；越高越多样。</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Chooses among this many of the likeliest tokens only. 0 is off.</source>
        <translation>只在这么多个最可能的词元中选择。0 表示关闭。</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Chooses among the likeliest tokens that together have this probability. 1 is off.</source>
        <translation>在概率之和达到此值的最可能词元中选择。1 表示关闭。</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Leaves out tokens less likely than this share of the likeliest one. 0 is off.</source>
        <translation>略去概率低于最可能词元此比例的词元。0 表示关闭。</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>Makes what was already said, by you or the model, less likely. 1 is off; small models need a little.</source>
        <translation>降低您或模型已说过内容的概率。1 表示关闭；小模型需要一点。</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>存在惩罚</translation>
    </message>
    <message>
        <source>Makes every token that the answer has used less likely, however often. 0 is off.</source>
        <translation>降低回答中已用过的词元的概率，不论用过多少次。0 表示关闭。</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>Makes tokens less likely the more often the answer has used them. 0 is off.</source>
        <translation>回答中用得越多的词元，概率降低越多。0 表示关闭。</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>All takes what is likeliest to be right: repeated text first, then the draft model.</source>
        <translation>“所有来源”取最可能正确的：先是重复文本，然后是草稿模型。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>What suits the model that is loaded.</source>
        <translation>适合已加载模型的设置。</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>Always the likeliest word. The same question gets the same answer.</source>
        <translation>总是最可能的词。同样的问题得到同样的回答。</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Some variety, for everyday questions.</source>
        <translation>有些变化，适合日常问题。</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>创意</translation>
    </message>
    <message>
        <source>More variety, for stories and ideas.</source>
        <translation>更多变化，适合故事和创意。</translation>
    </message>
    <message>
        <source>Coder</source>
        <translation>编程</translation>
    </message>
    <message>
        <source>Little variety, for programs and facts.</source>
        <translation>变化很少，适合程序和事实。</translation>
    </message>
    <message>
        <source>Auto: guesses as much as pays</source>
        <translation>自动：猜测数量以划算为限</translation>
    </message>
    <message>
        <source>On: always guesses</source>
        <translation>开启：始终猜测</translation>
    </message>
    <message>
        <source>Guesses several tokens and checks them at once. It changes the speed, never the answer.</source>
        <translation>猜测多个词元并一次性检查。它只改变速度，从不改变答案。</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>每轮的猜测</translation>
    </message>
    <message>
        <source>Tokens guessed before each check when speculation is on. Auto chooses by itself how many.</source>
        <translation>推测开启时每次检查前猜测的词元数。“自动”会自行选择数量。</translation>
    </message>
    <message>
        <source>Guesses come from</source>
        <translation>猜测来源</translation>
    </message>
</context>
<context>
    <name>SettingsDesk</name>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>略去最早的消息</translation>
    </message>
    <message>
        <source>Settings of this c&amp;hat…</source>
        <translation>此聊天的设置(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation>放大文字(&amp;A)</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>缩小文字(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>正常文字大小(&amp;N)</translation>
    </message>
</context>
<context>
    <name>SettingsFile</name>
    <message>
        <source>The settings could not be read and are as new. The old file is kept as {file}.</source>
        <translation>无法读取设置，已恢复为初始值。旧文件保留为 {file}。</translation>
    </message>
    <message>
        <source>Settings that make no sense were set back: {names}. The file as it was is kept as {file}.</source>
        <translation>无意义的设置已被重置：{names}。原文件保留为 {file}。</translation>
    </message>
    <message>
        <source>The settings in {file} can&apos;t be read ({reason}): the program&apos;s own are in force.</source>
        <translation>无法读取 {file} 中的设置（{reason}）：使用程序自身的设置。</translation>
    </message>
</context>
<context>
    <name>ShortcutDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Search keys or actions</source>
        <translation>搜索按键或操作</translation>
    </message>
    <message>
        <source>Search keyboard shortcuts</source>
        <translation>搜索键盘快捷键</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>New chat</source>
        <translation>新建聊天</translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation>您的聊天会显示在这里。</translation>
    </message>
    <message>
        <source>No chat matches.</source>
        <translation>没有匹配的聊天。</translation>
    </message>
    <message numerus="yes">
        <source>The newest %n chat(s) with these words:</source>
        <translation>
            <numerusform>包含这些词的最新 %n 个聊天：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) found</source>
        <translation>
            <numerusform>找到 %n 个聊天</numerusform>
        </translation>
    </message>
    <message>
        <source>Bin ({count})</source>
        <translation>回收站（{count}）</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>搜索聊天</translation>
    </message>
    <message>
        <source>Leave the search</source>
        <translation>离开搜索</translation>
    </message>
    <message>
        <source>Go to the chats that were found</source>
        <translation>转到找到的聊天</translation>
    </message>
    <message>
        <source>Chats that were deleted in the last 30 days</source>
        <translation>最近 30 天内删除的聊天</translation>
    </message>
</context>
<context>
    <name>Sources</name>
    <message>
        <source>repeated text (n-gram)</source>
        <translation>重复文本 (n-gram)</translation>
    </message>
    <message>
        <source>recorded answers (store)</source>
        <translation>已记录的回答 (存储)</translation>
    </message>
    <message>
        <source>draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>trained drafter</source>
        <translation>训练式草稿器</translation>
    </message>
</context>
<context>
    <name>Sparkline</name>
    <message>
        <source>Tokens per second over the answer</source>
        <translation>回答过程中的每秒词元数</translation>
    </message>
    <message>
        <source>Nothing measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>Now {now}, highest {peak}</source>
        <translation>当前 {now}，最高 {peak}</translation>
    </message>
    <message>
        <source>plain decoding {plain}</source>
        <translation>普通解码 {plain}</translation>
    </message>
</context>
<context>
    <name>SpeculationPanel</name>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed now</source>
        <translation>当前速度</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Figures of speculation</source>
        <translation>推测数据</translation>
    </message>
    <message>
        <source>Right guesses by position</source>
        <translation>各位置的正确猜测</translation>
    </message>
    <message>
        <source>Guesses in a pass</source>
        <translation>每轮的猜测</translation>
    </message>
</context>
<context>
    <name>SpeculationSwitch</name>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Decode plainly, one token a pass; the text is the same</source>
        <translation>普通解码，每轮一个词元；文本相同</translation>
    </message>
    <message>
        <source>Speculation is not available: {reason}</source>
        <translation>推测不可用：{reason}</translation>
    </message>
    <message>
        <source>Guess as many tokens ahead as pay by what was measured, and none when none pay</source>
        <translation>根据测量结果，猜测数量以划算为限；都不划算时不猜测</translation>
    </message>
    <message>
        <source>Always guess, the same number of tokens in each pass</source>
        <translation>始终猜测，每轮的词元数固定</translation>
    </message>
</context>
<context>
    <name>SpeedBars</name>
    <message>
        <source>Speed of both sides</source>
        <translation>两者的速度</translation>
    </message>
</context>
<context>
    <name>Stages</name>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>Waiting for another Slipstream</source>
        <translation>正在等待另一个 Slipstream</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>正在转换</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>正在编译</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Not available: {reason}</source>
        <translation>不可用：{reason}</translation>
    </message>
    <message>
        <source>The speedup is shown once an answer was measured.</source>
        <translation>测量过一个回答后会显示加速比。</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测量</translation>
    </message>
    <message>
        <source>{done} of {total} tokens of the prompt are read. The answer begins after that.</source>
        <translation>已读取提示词的 {done} / {total} 个词元。之后开始回答。</translation>
    </message>
    <message>
        <source>Reading the prompt… {share}</source>
        <translation>正在读取提示词… {share}</translation>
    </message>
    <message>
        <source>{switch} · too short to compare</source>
        <translation>{switch} · 太短，无法比较</translation>
    </message>
    <message>
        <source>{switch} · not measured</source>
        <translation>{switch} · 未测量</translation>
    </message>
    <message>
        <source>The model writes one token a pass. Auto and On guess several and check them at once.</source>
        <translation>模型每轮写一个词元。“自动”和“开启”会猜测多个并一次性检查。</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>Auto decodes plainly now.</source>
        <translation>“自动”目前使用普通解码。</translation>
    </message>
    <message>
        <source>Auto · off</source>
        <translation>自动 · 关闭</translation>
    </message>
    <message>
        <source>So far this answer came at {worth} the plain speed.</source>
        <translation>至今这个回答的速度是普通速度的 {worth}。</translation>
    </message>
    <message>
        <source>Auto · off · {worth}</source>
        <translation>自动 · 关闭 · {worth}</translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding.</source>
        <translation>这个回答的速度是普通解码的 {worth}。</translation>
    </message>
    <message>
        <source>This answer comes at {worth} the speed of plain decoding, which was measured at {plain}.</source>
        <translation>这个回答的速度是普通解码的 {worth}，后者测得为 {plain}。</translation>
    </message>
    <message>
        <source>{switch} · nothing guessed</source>
        <translation>{switch} · 没有猜测</translation>
    </message>
</context>
<context>
    <name>StateChip</name>
    <message>
        <source>State of speculation</source>
        <translation>推测状态</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>未加载模型</translation>
    </message>
    <message>
        <source>On this device the text may differ from the one without drafts.</source>
        <translation>在此设备上，文本可能与不用推测时不同。</translation>
    </message>
</context>
<context>
    <name>TokenDialog</name>
    <message>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Some makers want to know who fetches their model. Accept their terms on {page}, make a token with read access in your settings there, and paste it here.</source>
        <translation>有些制作者希望知道谁在下载其模型。请在 {page} 接受条款，在那里的设置中创建具有读取权限的令牌，并粘贴到这里。</translation>
    </message>
    <message>
        <source>It is kept in your system&apos;s keyring, never in a file, and sent to {hub} only.</source>
        <translation>它保存在系统的密钥环中，绝不写入文件，并且只发送给 {hub}。</translation>
    </message>
    <message>
        <source>Paste it here</source>
        <translation>粘贴到这里</translation>
    </message>
    <message>
        <source>Keep the token</source>
        <translation>保存令牌</translation>
    </message>
    <message>
        <source>Forget the kept one</source>
        <translation>删除已保存的令牌</translation>
    </message>
</context>
<context>
    <name>TokenPage</name>
    <message>
        <source>Back to chat</source>
        <translation>返回聊天</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>以 JSON 复制</translation>
    </message>
    <message>
        <source>Tokens of the answer</source>
        <translation>回答的词元</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>{number} tokens per pass</source>
        <translation>每轮 {number} 个词元</translation>
    </message>
    <message>
        <source>Leave the tokens, back to the chat</source>
        <translation>离开词元视图，返回聊天</translation>
    </message>
</context>
<context>
    <name>TokenView</name>
    <message>
        <source>Tokens of the answer</source>
        <translation>回答的词元</translation>
    </message>
    <message>
        <source>Next token, and its pass</source>
        <translation>下一个词元及其所在的轮</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>上一个词元</translation>
    </message>
    <message>
        <source>Next correction</source>
        <translation>下一处更正</translation>
    </message>
    <message>
        <source>Previous correction</source>
        <translation>上一处更正</translation>
    </message>
</context>
<context>
    <name>Tokens</name>
    <message>
        <source>From repeated text (n-gram)</source>
        <translation>来自重复文本 (n-gram)</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>Bonus</source>
        <translation>额外</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>普通</translation>
    </message>
    <message>
        <source>Guessed from text that came before, and accepted by the big model.</source>
        <translation>根据前面的文本猜测，并被大模型接受。</translation>
    </message>
    <message>
        <source>From recorded answers (store)</source>
        <translation>来自已记录的回答 (存储)</translation>
    </message>
    <message>
        <source>Trained drafter</source>
        <translation>训练式草稿器</translation>
    </message>
    <message>
        <source>Guessed from recorded answers of this model, none of them from your chats, and accepted by it.</source>
        <translation>根据该模型已记录的回答猜出（其中没有您的聊天内容），并被该模型接受。</translation>
    </message>
    <message>
        <source>Guessed by the small draft model, and accepted by the big one.</source>
        <translation>由小的草稿模型猜测，并被大模型接受。</translation>
    </message>
    <message>
        <source>Guessed by a small network from the big model&apos;s hidden states, and accepted by the big model.</source>
        <translation>由小网络根据大模型的隐藏状态猜测，并被大模型接受。</translation>
    </message>
    <message>
        <source>The guess was wrong: the big model put its own token in its place.</source>
        <translation>猜测错误：大模型换上了自己的词元。</translation>
    </message>
    <message>
        <source>Every guess was right: the big model added one more token in the same pass.</source>
        <translation>所有猜测都正确：大模型在同一轮中又添加了一个词元。</translation>
    </message>
    <message>
        <source>Nothing was guessed: one pass of the big model for one token.</source>
        <translation>没有猜测：大模型一轮得到一个词元。</translation>
    </message>
    <message>
        <source>“{text}” – {origin}. {meaning}</source>
        <translation>“{text}” – {origin}。{meaning}</translation>
    </message>
    <message>
        <source>Rejected: {guesses}.</source>
        <translation>被拒绝：{guesses}。</translation>
    </message>
    <message>
        <source>Pass {number} of {count}</source>
        <translation>第 {number} 轮，共 {count} 轮</translation>
    </message>
    <message>
        <source>nothing guessed</source>
        <translation>没有猜测</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation>接受了 {accepted} / {drafted} 个猜测</translation>
    </message>
</context>
<context>
    <name>Trace</name>
    <message>
        <source>The passes of this answer were recorded by a newer Slipstream: update to see its tokens.</source>
        <translation>此回答的各轮由较新的 Slipstream 记录：请更新以查看其词元。</translation>
    </message>
    <message>
        <source>The record of this answer&apos;s passes is damaged: its tokens can&apos;t be shown.</source>
        <translation>此回答的轮次记录已损坏：无法显示其词元。</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Jump to latest ↓</source>
        <translation>跳到最新 ↓</translation>
    </message>
</context>
<context>
    <name>Transfer</name>
    <message>
        <source>New &amp;folder</source>
        <translation>新建文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Bin</source>
        <translation>回收站(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation>导出此聊天(&amp;E)…</translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation>导出所有聊天(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>导入聊天(&amp;I)…</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>导出聊天</translation>
    </message>
    <message>
        <source>Chats (*.json *.md *.markdown *.txt)</source>
        <translation>聊天 (*.json *.md *.markdown *.txt)</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入聊天</translation>
    </message>
    <message numerus="yes">
        <source>Imported %n chat(s).</source>
        <translation>
            <numerusform>已导入 %n 个聊天。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no open chat to export; choose one in the list first.</source>
        <translation>没有打开的聊天可供导出；请先在列表中选择一个。</translation>
    </message>
    <message>
        <source>Export all chats</source>
        <translation>导出所有聊天</translation>
    </message>
    <message numerus="yes">
        <source>Exported %n chat(s).</source>
        <translation>
            <numerusform>已导出 %n 个聊天。</numerusform>
        </translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Markdown, to read (*.md)</source>
        <translation>Markdown，便于阅读 (*.md)</translation>
    </message>
    <message>
        <source>JSON, with everything (*.json)</source>
        <translation>JSON，包含全部内容 (*.json)</translation>
    </message>
    <message>
        <source>{file} can&apos;t be read ({reason}); choose another file.</source>
        <translation>无法读取 {file}（{reason}）；请选择其他文件。</translation>
    </message>
    <message>
        <source>{file} could not be written ({reason}); choose another folder.</source>
        <translation>无法写入 {file}（{reason}）；请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Attached files</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>counting…</source>
        <translation>正在计数…</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>TurnKeys</name>
    <message>
        <source>&amp;Edit the last message</source>
        <translation>编辑上一条消息(&amp;E)</translation>
    </message>
    <message>
        <source>Answer once &amp;more</source>
        <translation>重新回答(&amp;M)</translation>
    </message>
    <message>
        <source>C&amp;ontinue the answer</source>
        <translation>继续回答(&amp;O)</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo the deletion</source>
        <translation>撤销删除</translation>
    </message>
    <message>
        <source>Deleted “{title}”</source>
        <translation>已删除“{title}”</translation>
    </message>
</context>
<context>
    <name>UpdateDialog</name>
    <message>
        <source>Check for updates</source>
        <translation>检查更新</translation>
    </message>
    <message>
        <source>Asking whether a newer version is out…</source>
        <translation>正在查询是否有新版本…</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>更新内容</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>打开页面</translation>
    </message>
    <message>
        <source>You have {version}, the newest version.</source>
        <translation>您使用的 {version} 已是最新版本。</translation>
    </message>
    <message>
        <source>Slipstream {version} came out on {date}; you have {own}.
Get it from {address}</source>
        <translation>Slipstream {version} 已于 {date} 发布；您使用的是 {own}。
获取地址：{address}</translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>编辑并重新发送</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>您的消息</translation>
    </message>
    <message>
        <source>… and {count} more characters, which Copy takes along</source>
        <translation>……还有 {count} 个字符，“复制”会包含全部内容</translation>
    </message>
</context>
<context>
    <name>Worker</name>
    <message>
        <source>No model is loaded. Choose a pair at the top of the window.</source>
        <translation>没有加载模型。请在窗口顶部选择一个模型组合。</translation>
    </message>
    <message>
        <source>The engine ended without a result. Send the message again.</source>
        <translation>引擎没有给出结果就结束了。请重新发送消息。</translation>
    </message>
    <message>
        <source>Something went wrong inside Slipstream: {cause}; details are in {file}</source>
        <translation>Slipstream 内部出错：{cause}；详细信息见 {file}</translation>
    </message>
</context>
<context>
    <name>Worth</name>
    <message>
        <source>Nothing was guessed, so every pass was a plain one.</source>
        <translation>没有猜测，因此每一轮都是普通解码。</translation>
    </message>
    <message>
        <source>Nothing was guessed yet.</source>
        <translation>尚未猜测。</translation>
    </message>
    <message>
        <source>Plain decoding was not measured, so there is nothing to compare with.</source>
        <translation>没有测量普通解码，因此无从比较。</translation>
    </message>
    <message>
        <source>Plain decoding has not been measured yet, so there is nothing to compare with.</source>
        <translation>尚未测量普通解码，因此无从比较。</translation>
    </message>
    <message>
        <source>Too few tokens to compare: a speedup is shown from {count} on.</source>
        <translation>词元太少，无法比较：从 {count} 个起才显示加速比。</translation>
    </message>
</context>
<context>
    <name>_WorkBar</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
</context>
</TS>
