import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, listenHttp, memorySecrets, textOf } from '../../../../../test/stubs/http-kit.js';

const cleanups = new Cleanups();
afterEach(() => cleanups.run());

const SECRET = 'cl1ent-s3cret/+';

/** A token server, an API that takes its tokens, and a tool that needs both. */
async function world(options: { answer?: (response: ServerResponse) => void; hosts?: string[] } = {}) {
  const asked: { authorization: string | undefined; body: string }[] = [];
  const refused = new Set<string>();
  const seen: string[] = [];
  const clock = { now: 0 };
  const tokens = await listenHttp(cleanups, async (request: IncomingMessage, response: ServerResponse) => {
    asked.push({ authorization: request.headers.authorization, body: await text(request) });
    if (options.answer) return options.answer(response);
    const token = { access_token: `t0ken-${asked.length}`, token_type: 'Bearer', expires_in: 3_600 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(token));
  });
  const api = await listenHttp(cleanups, (request, response) => {
    const token = request.headers.authorization ?? '';
    seen.push(token);
    response.statusCode = refused.has(token) ? 401 : 200;
    response.setHeader('content-type', 'text/plain').end(`you sent ${token}`);
  });
  const secrets = memorySecrets({ CLIENT: { value: SECRET, hosts: options.hosts ?? [new URL(tokens).host] } });
  const { call } = httpKit(cleanups, { secrets: secrets.source, runner: { now: () => clock.now } });
  const auth = { type: 'oauth2-client-credentials', tokenUrl: `${tokens}/token`, clientId: 'us:er', secret: 'CLIENT' };
  const run = (more: object = {}) => call({ url: `${api}/x`, auth: { ...auth, ...more } as never }, {});
  return { run, asked, seen, refused, clock, tokens };
}

describe('client credentials', () => {
  it('fetch one token for all calls that need it, and send that, never the secret', async () => {
    const { run, asked, seen } = await world();
    const outcomes = await Promise.all([run({ scope: 'a b' }), run({ scope: 'a b' })]);
    outcomes.push(await run({ scope: 'a b' }));
    expect(outcomes.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual([
      {
        authorization: `Basic ${btoa('us%3Aer:cl1ent-s3cret%2F%2B')}`,
        body: 'grant_type=client_credentials&scope=a%20b',
      },
    ]);
    expect(seen).toEqual(['Bearer t0ken-1', 'Bearer t0ken-1', 'Bearer t0ken-1']);
  });

  it('go into the body where the server wants them there, and another scope is another token', async () => {
    const { run, asked, seen } = await world();
    await run({ credentials: 'body', audience: 'https://api' });
    await run({ credentials: 'body', audience: 'https://other' });
    expect(asked[0]).toEqual({
      authorization: undefined,
      body: 'grant_type=client_credentials&audience=https%3A%2F%2Fapi&client_id=us%3Aer&client_secret=cl1ent-s3cret%2F%2B',
    });
    expect(seen).toEqual(['Bearer t0ken-1', 'Bearer t0ken-2']);
  });

  it('fetch another token a moment before the first expires', async () => {
    const { run, asked, clock } = await world();
    await run();
    clock.now = 3_500_000;
    await run();
    expect(asked).toHaveLength(1);
    clock.now = 3_590_000;
    await run();
    expect(asked).toHaveLength(2);
  });

  it('fetch another token once, when the API takes a kept one no more', async () => {
    const { run, seen, refused } = await world();
    await run();
    refused.add('Bearer t0ken-1');
    expect((await run()).isError).toBeUndefined();
    refused.add('Bearer t0ken-2').add('Bearer t0ken-3');
    const outcome = await run();
    expect([outcome.isError, textOf(outcome)]).toEqual([true, expect.stringMatching(/answered 401/)]);
    expect(seen.map((one) => one.at(-1))).toEqual(['1', '1', '2', '2', '3']);
  });

  it('are masked, and so is the token', async () => {
    const { run } = await world();
    expect(textOf(await run())).toBe('you sent Bearer [secret token of CLIENT]');
  });

  it.each([
    [
      'a refusal',
      400,
      `{"error":"invalid_client","error_description":"not ${SECRET}"}`,
      /it answered 400 invalid_client: not \[secret CLIENT\]/,
    ],
    ['no JSON', 200, '<html>', /its answer holds no access_token/],
    ['another kind of token', 200, '{"access_token":"x","token_type":"mac"}', /of type "mac", not Bearer/],
    ['a token that is no header value', 200, '{"access_token":"a\\nb"}', /its answer holds no access_token/],
  ])('say what the token server answered: %s; and it is asked anew', async (_what, status, body, words) => {
    const answer = (response: ServerResponse) => void response.writeHead(status).end(body);
    const { run, asked, seen, tokens } = await world({ answer });
    const outcome = await run();
    expect([outcome.isError, textOf(outcome)]).toEqual([true, expect.stringMatching(words)]);
    expect(textOf(outcome)).toContain(`no token from ${new URL(tokens).host}`);
    await run();
    expect([asked.length, seen]).toEqual([2, []]);
  });

  it('go to no other host than those that the secret is bound to', async () => {
    const { run, asked } = await world({ hosts: ['auth.example.com'] });
    expect(textOf(await run())).toMatch(/the secret "CLIENT" is not bound to the host/);
    expect(asked).toEqual([]);
  });

  it('are refused at publish where the guard would refuse their server', () => {
    const auth = {
      type: 'oauth2-client-credentials',
      tokenUrl: 'http://169.254.169.254/t',
      clientId: 'c',
      secret: 'K',
    };
    const compiled = httpKit(cleanups, { guard: { allow: [] } }).compile({
      url: 'https://api.example.com',
      auth,
    } as never);
    expect(compiled.ok ? [] : compiled.faults.map(({ path }) => path)).toEqual(['/auth/tokenUrl']);
  });
});
