export const clients = ['claude', 'cursor', 'vscode', 'curl', 'typescript'] as const;
export type ClientName = (typeof clients)[number];
export const clientLabels: Record<ClientName, string> = {
  claude: 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  curl: 'curl',
  typescript: 'TypeScript',
};

export interface SnippetInput {
  /** Slug of the server; the name the client files it under. */
  name: string;
  endpoint: string;
  /** Whether clients show a key. */
  keyed: boolean;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** What to paste, per client. No snippet ever holds a key: it names the variable GANTRY_KEY, or asks. */
export const snippets: Record<ClientName, (input: SnippetInput) => string> = {
  claude: ({ name, endpoint, keyed }) =>
    [
      `claude mcp add --transport http ${name} ${endpoint}`,
      ...(keyed ? ['--header "Authorization: Bearer $GANTRY_KEY"'] : []),
    ].join(' \\\n  '),

  cursor: ({ name, endpoint, keyed }) =>
    json({
      mcpServers: {
        [name]: {
          url: endpoint,
          ...(keyed ? { headers: { Authorization: `Bearer ${variable('env:GANTRY_KEY')}` } } : {}),
        },
      },
    }),

  vscode: ({ name, endpoint, keyed }) =>
    json({
      ...(keyed
        ? {
            inputs: [{ type: 'promptString', id: 'gantry-key', description: `Gantry key for ${name}`, password: true }],
          }
        : {}),
      servers: {
        [name]: {
          type: 'http',
          url: endpoint,
          ...(keyed ? { headers: { Authorization: `Bearer ${variable('input:gantry-key')}` } } : {}),
        },
      },
    }),

  curl: ({ endpoint, keyed }) =>
    [
      `curl -sS ${endpoint}`,
      ...(keyed ? ['-H "Authorization: Bearer $GANTRY_KEY"'] : []),
      "-H 'Content-Type: application/json'",
      "-H 'Accept: application/json, text/event-stream'",
      "-H 'MCP-Protocol-Version: 2026-07-28'",
      "-H 'Mcp-Method: tools/list'",
      `-d '${JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      })}'`,
    ].join(' \\\n  '),

  typescript: ({
    endpoint,
    keyed,
  }) => `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client(
  { name: 'my-app', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(
  new StreamableHTTPClientTransport(new URL('${endpoint}')${
    keyed
      ? `, {
    requestInit: { headers: { Authorization: 'Bearer ' + process.env.GANTRY_KEY } },
  }`
      : ''
  }),
);
const { tools } = await client.listTools();
console.log(tools.map((tool) => tool.name));
await client.close();`,
};

/** A placeholder that the client itself fills: `\${env:NAME}`. */
function variable(name: string): string {
  return `\${${name}}`;
}
