// Fills two tenants with data for every screen of a running Gantry, through its management API. May be run again.
// API_URL and GANTRY_ADMIN_TOKEN say where and as whom; without them, the local default and DATA_DIR/admin-token.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, Stop } from './lib/paths.mjs';
import { seedTenants } from './lib/seed-data.mjs';

const TIMEOUT_MS = 20_000;

run(async () => {
  const base = (process.env.API_URL ?? `http://127.0.0.1:${process.env.PORT ?? 4000}`).replace(/\/$/, '');
  const token = adminToken();
  for (const tenant of seedTenants) {
    await api('POST', '/tenants', { slug: tenant.slug, name: tenant.name }, [409]);
    for (const [slug, document] of Object.entries(tenant.servers)) {
      await api('PUT', `/tenants/${tenant.slug}/servers/${slug}`, document);
    }
    for (const [name, secret] of Object.entries(tenant.secrets)) {
      await api('PUT', `/tenants/${tenant.slug}/secrets/${name}`, secret);
    }
    const key = await freshKey(tenant.slug);
    for (const call of tenant.calls) await callTool(tenant.slug, call, key);
    console.log(`${tenant.name}: ${base}/mcp/${tenant.slug}/${Object.keys(tenant.servers)[0]}`);
  }

  /** The keys of an earlier run are revoked, so that running it again leaves one. */
  async function freshKey(tenant) {
    const { items } = await api('GET', `/tenants/${tenant}/keys?limit=200`);
    for (const key of items) if (key.name === 'Seed') await api('DELETE', `/tenants/${tenant}/keys/${key.id}`);
    return (await api('POST', `/tenants/${tenant}/keys`, { name: 'Seed', scopes: ['mcp:call'] })).key;
  }

  async function api(method, path, body, accepted = []) {
    const answer = await request(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.ok) return answer.status === 204 ? undefined : answer.json();
    if (accepted.includes(answer.status)) return undefined;
    throw new Stop(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  }

  async function callTool(tenant, { server, name, arguments: args }, key) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'seed', version: '1.0.0' },
    };
    const answer = await request(`${base}/mcp/${tenant}/${server}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }),
    });
    if (!answer.ok) throw new Stop(`tools/call ${name} answered ${answer.status}: ${await answer.text()}`);
    await answer.text();
  }
});

async function request(url, options) {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Stop(
      `${url} does not answer (${error.cause?.code ?? error.name}): is Gantry running? API_URL says where`,
    );
  }
}

function adminToken() {
  if (process.env.GANTRY_ADMIN_TOKEN) return process.env.GANTRY_ADMIN_TOKEN;
  const file = join(process.env.DATA_DIR ?? join(ROOT, 'data'), 'admin-token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Stop(`GANTRY_ADMIN_TOKEN is not set and ${file} is not there: start Gantry first`);
  }
}
