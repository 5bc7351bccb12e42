import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BODY = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'return_policy',
    arguments: { country: 'Norway' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

/** What a start says when it is ready. Secrets go to a terminal only; elsewhere their files are named. */
export function announce({ config, seconds, consoleUrl, generated, say = console.log, terminal }) {
  const { dataDir, publicUrl, demo } = config;
  const keyFile = join(dataDir, 'demo-key');
  const hasDemo = demo && existsSync(keyFile);
  const reveal = (file) => (terminal ? readFileSync(file, 'utf8').trim() : `in ${file}`);
  const lines = ['', `Gantry is ready (${seconds.toFixed(1)} s).`, ''];
  lines.push(`  MCP          ${publicUrl}/mcp/${hasDemo ? 'demo/demo' : '{tenant}/{server}'}`);
  if (hasDemo) lines.push(`  Demo key     ${reveal(keyFile)}`);
  if (consoleUrl) lines.push(`  Console      ${consoleUrl}`);
  lines.push(`  API          ${publicUrl}/api/docs`);
  if (generated) lines.push(`  Admin token  ${reveal(join(dataDir, 'admin-token'))}`);
  lines.push(
    '',
    'Try it:',
    '',
    `  ${hasDemo ? curlCall(publicUrl, keyFile, terminal) : `curl -s ${publicUrl}/readyz`}`,
    '',
  );
  say(lines.join('\n'));
}

function curlCall(publicUrl, keyFile, terminal) {
  const key = terminal ? readFileSync(keyFile, 'utf8').trim() : `$(cat ${shellWord(keyFile)})`;
  const headers = [
    `"Authorization: Bearer ${key}"`,
    "'Content-Type: application/json'",
    "'Accept: application/json, text/event-stream'",
    "'MCP-Protocol-Version: 2026-07-28'",
    "'Mcp-Method: tools/call'",
    `'Mcp-Name: ${BODY.params.name}'`,
  ];
  return `curl -s ${publicUrl}/mcp/demo/demo ${headers.map((header) => `-H ${header}`).join(' ')} -d '${JSON.stringify(BODY)}'`;
}

/** A path as one word inside a double-quoted command substitution. */
function shellWord(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
