export const connect = {
  title: 'Connect',
  hint: 'One endpoint, every client. Pick yours.',
  client: 'Client',
  needsTool: 'This server has no tool yet, so a client will connect and find nothing to call.',
  addTool: 'Add a tool',
  unpublished: 'Nothing is published yet: clients get “not found” until it is.',
  keyTitle: 'Key',
  keyText: 'Snippets never hold a key. They read it from the environment variable GANTRY_KEY, or ask for it.',
  keyPublic: 'This server is public: no key is needed.',
  makeKey: 'Make a key',
  makingKey: 'Making…',
  makeKeyHint: (server: string) => `Calls on ${server} only, for 90 days. It is shown here, once.`,
  keyFailed: 'The key was not made',
  noKeys: 'Your role may not make keys. An owner or admin can make one for you.',
  exportHint: 'In the shell that starts the client:',
  file: 'File',
  steps: 'Snippet',
  run: 'In a terminal',
  copySnippet: 'Copy snippet',
  files: {
    claude: [['Stored by the command', '~/.claude.json, or .mcp.json with --scope project']],
    cursor: [
      ['macOS, Linux', '~/.cursor/mcp.json'],
      ['Windows', '%USERPROFILE%\\.cursor\\mcp.json'],
      ['One project', '.cursor/mcp.json'],
    ],
    vscode: [
      ['One workspace', '.vscode/mcp.json'],
      ['Everywhere', 'Command “MCP: Open User Configuration”'],
    ],
    curl: [],
    typescript: [['Package', '@modelcontextprotocol/client']],
  },
  notes: {
    claude: 'Then run claude and type /mcp: the server and its tools are listed.',
    cursor:
      'Cursor reads the variable when it starts. Settings → MCP shows the server with a green dot once it has listed the tools.',
    vscode:
      'VS Code asks for the key once and keeps it in its own secret store. Start the server from the line above its name.',
    curl: 'Lists the tools. The answer is JSON, or one event of a stream.',
    typescript: 'Lists the tools, with the newest revision the server and the client share.',
  },
} as const;
