import { expect, it } from 'vitest';
import { StatelessClients } from './stateless-clients.js';

const client = (name: string, version = '1') => ({ name, version, revision: '2026-07-28', capabilities: {} });

it('groups by credential, server, name and version', () => {
  const clients = new StatelessClients(() => 0);
  const caller = clients.caller('acme/main', 'key:1');
  caller.finished(client('a'), false);
  caller.finished(client('b'), true);
  caller.finished(client('a'), true);
  caller.finished(client('a', '2'), false);
  clients.caller('acme/main', 'key:2').finished(client('a'), false);
  clients.caller('acme/other', 'key:1').finished(client('a'), false);
  clients.caller('rival/main', 'key:1').finished(client('a'), false);
  const shown = clients
    .list('acme')
    .map(({ server, owner, name, version, calls, errors }) => [server, owner, name, version, calls, errors].join(' '));
  expect(shown).toEqual([
    'acme/main key:1 a 1 2 1',
    'acme/main key:1 b 1 1 1',
    'acme/main key:1 a 2 1 0',
    'acme/main key:2 a 1 1 0',
    'acme/other key:1 a 1 1 0',
  ]);
});

it('keeps a thousand of one tenant, whatever they call themselves, and none of another pays for it', () => {
  let now = 0;
  const clients = new StatelessClients(() => now);
  clients.caller('rival/main', 'key:1').finished(client('quiet'), false);
  const caller = clients.caller('acme/main', 'key:1');
  for (let at = 0; at < 1_500; at += 1) {
    now = at;
    caller.finished(client(`c${at}`), false);
  }
  expect(clients.list('acme')).toHaveLength(1_000);
  expect(clients.list('acme')[0]?.name).toBe('c500');
  expect(clients.list('rival')).toHaveLength(1);
});

it('knows a client again that was pushed out, and forgets one that was silent for half an hour', () => {
  let now = 0;
  const clients = new StatelessClients(() => now);
  const [one, other] = [clients.caller('acme/main', 'key:1'), clients.caller('acme/main', 'key:2')];
  one.finished(client('a'), false);
  for (let at = 0; at < 1_000; at += 1) {
    now += 1;
    other.finished(client(`c${at}`), false);
  }
  one.begun(client('a'));
  expect(clients.list('acme').some(({ name }) => name === 'a')).toBe(true);
  now += 30 * 60_000 + 1;
  expect(clients.list('acme')).toEqual([]);
});

it('keeps no more of a name than a reader needs', () => {
  const clients = new StatelessClients(() => 0);
  const caller = clients.caller('acme/main', 'key:1');
  for (let at = 0; at < 3; at += 1) caller.finished(client('x'.repeat(100_000)), false);
  expect(clients.list('acme').map(({ name, calls }) => [name?.length, calls])).toEqual([[200, 3]]);
});
