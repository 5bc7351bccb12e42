import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { HttpRunnerSpec } from '@gantry/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups, httpKit, type Kit, listenHttp, memorySecrets, textOf } from '../../../../../test/stubs/http-kit.js';

const cleanups = new Cleanups();
afterEach(() => cleanups.run());

const SSE = 'text/event-stream';
const NDJSON = 'application/x-ndjson';

interface Setting extends Kit {
  readonly stream?: 'sse' | 'ndjson';
  readonly type?: string;
  readonly spec?: Partial<HttpRunnerSpec>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Called at each thing that is told. */
  readonly heard?: () => void;
}

/** Calls a tool whose backend answers with what `answer` writes; gives its outcome and what it told on the way. */
async function stream(answer: string | ((res: ServerResponse) => void), setting: Setting = {}) {
  const { stream: kind = 'sse', type = kind === 'sse' ? SSE : NDJSON, spec = {}, signal, timeoutMs = 5_000 } = setting;
  const told: unknown[][] = [];
  const hear = (...said: unknown[]) => {
    told.push(said);
    setting.heard?.();
  };
  const accepts: (string | undefined)[] = [];
  const url = await listenHttp(cleanups, (req, res) => {
    accepts.push(req.headers.accept);
    res.setHeader('content-type', type);
    if (typeof answer === 'string') res.end(answer);
    else answer(res);
  });
  const outcome = await httpKit(cleanups, setting).call(
    { url, stream: kind, ...spec },
    {},
    {
      timeoutMs,
      ...(signal && { signal }),
      progress: (...said) => hear('progress', ...said),
      log: (...said) => hear('log', ...said),
    },
  );
  return { outcome, told, accepts };
}

const sse = (...events: string[]) => events.map((data) => `data: ${data}\n\n`).join('');

describe('the last event', () => {
  it.each([
    ['sse', sse('one', 'two', '{"sum":3}')],
    ['ndjson', '"one"\n"two"\n{"sum":3}\n'],
  ] as const)('of %s is the result, as a whole answer would be', async (kind, text) => {
    const { outcome, accepts } = await stream(text, { stream: kind });
    expect(outcome).toMatchObject({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
      upstream: { status: 200, bytes: text.length },
    });
    expect(outcome.isError).toBeUndefined();
    expect(accepts).toEqual([kind === 'sse' ? SSE : 'application/x-ndjson, application/json;q=0.9']);
  });

  it('that is no JSON is text, and ill-formed UTF-8 in it is replaced', async () => {
    expect((await stream(sse('done: 5'))).outcome.content).toEqual([{ type: 'text', text: 'done: 5' }]);
    const { outcome } = await stream((res) => res.end(Buffer.from([...Buffer.from('data: a'), 0xff, 10, 10])));
    expect(textOf(outcome)).toBe('a\ufffd');
  });

  it('is not the mark that some APIs end with', async () => {
    const { outcome, told } = await stream(sse('{"sum":3}', '[DONE]'));
    expect(outcome).toMatchObject({ structuredContent: { sum: 3 } });
    expect(told).toHaveLength(1);
    expect((await stream('data: {"sum":3}\n\ndata: [DONE]')).outcome).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('may lack its line end when it is whole JSON', async () => {
    expect((await stream('data: 1\n\ndata: {"sum":3}')).outcome).toMatchObject({ structuredContent: { sum: 3 } });
    const lines = await stream('1\n{"sum":3}', { stream: 'ndjson' });
    expect(lines.outcome).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it.each([
    ['an event called error', `data: 1\n\nevent: error\ndata: out of ink\n\n`, 'sse', 'out of ink'],
    ['nothing but an error', '1\n{"error":"out of ink"}\n', 'ndjson', '{"error":"out of ink"}'],
    ['nothing but an error', sse('1', '{"error":{"code":5}}'), 'sse', '{"error":{"code":5}}'],
  ] as const)('that is %s is one, since a status cannot be taken back', async (_what, text, kind, words) => {
    const { outcome } = await stream(text, { stream: kind });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toBe(words);
  });

  it.each(['{"error":null}', '{"error":"","sum":3}', '{"error":0.1,"mean":4}'])('%s is none', async (data) => {
    expect((await stream(sse(data))).outcome.isError).toBeUndefined();
  });
});

describe('on the way', () => {
  it('events are counted and shown in short', async () => {
    const { told } = await stream(sse('one', 'x'.repeat(2_000), '{"a":1}'));
    expect(told).toEqual([
      ['progress', 1, undefined, 'one'],
      ['progress', 2, undefined, 'x'.repeat(500)],
      ['progress', 3, undefined, '{"a":1}'],
    ]);
  });

  it('an event may say its own progress; then the others are log messages, and the result is none of them', async () => {
    const { told, outcome } = await stream(
      sse('{"progress":20,"total":80,"message":"pressing"}', 'a barrel is full', '{"progress":40}', '{"bottles":12}'),
    );
    expect(told).toEqual([
      ['progress', 20, 80, 'pressing'],
      ['log', 'info', 'a barrel is full'],
      ['progress', 40, undefined, undefined],
    ]);
    expect(outcome).toMatchObject({ structuredContent: { bottles: 12 } });
  });

  it.each(['{"progress":"20"}', '{"progress":1e999}', '"progress"', 'progress', '{"a":{"progress":5}}'])(
    '%s says none',
    async (data) => {
      expect((await stream(sse(data, 'end'))).told[0]).toEqual(['progress', 1, undefined, data]);
    },
  );

  it('each event is told when it comes, not when the answer is over', async () => {
    let goOn = () => {};
    const { told, outcome } = await stream(
      (res) => {
        goOn = () => res.end('data: last\n\n');
        res.write('data: first\n\n');
      },
      // The backend goes on only when the first event has been heard.
      { heard: () => goOn() },
    );
    expect(told).toEqual([
      ['progress', 1, undefined, 'first'],
      ['progress', 2, undefined, 'last'],
    ]);
    expect(textOf(outcome)).toBe('last');
  });
});

describe('a stream that does not come to its end', () => {
  it.each([
    ['broke off in the middle of an event', 'data: one\n\ndata: tw', /ended in the middle of an event/],
    ['held no event', ': hello\n\n', /ended without an event/],
  ])('that %s is an error in words', async (_, text, words) => {
    const { outcome } = await stream(text);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(words);
  });

  it('whose connection broke is an error, whatever had come', async () => {
    const { outcome } = await stream((res) => {
      res.write('data: one\n\n', () => res.destroy());
    });
    expect(outcome.isError).toBe(true);
  });

  it('is left when it pauses for too long', async () => {
    const { outcome } = await stream((res) => void res.write('data: one\n\n'), { runner: { streamIdleMs: 1_000 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/sent nothing for 1000 ms in the middle of its answer/);
  });

  it('is left when one event is longer than the limit', async () => {
    const { outcome } = await stream(`data: ${'x'.repeat(2_000)}\n\n`, { runner: { maxResponseBytes: 1_000 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/longer than the limit of 1000 bytes/);
  });

  it('is left when all of it is longer than the limit, whatever its events are', async () => {
    const { outcome } = await stream(sse(...Array(60).fill('x'.repeat(90))), { runner: { maxResponseBytes: 1_000 } });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toBe(
      'Tool "probe" stopped: the backend\'s stream is longer than the limit of 4000 bytes and was cut.',
    );
  });

  it('goes on as long as comments keep it open', async () => {
    const { outcome } = await stream(
      (res) => {
        let pings = 0;
        const timer = setInterval(() => {
          if (++pings < 12) res.write(': ping\n');
          else res.end('data: done\n\n');
        }, 200);
        res.once('close', () => clearInterval(timer));
      },
      { runner: { streamIdleMs: 1_500 } },
    );
    expect(textOf(outcome)).toBe('done');
  });

  it('leaves in doubt what a request has done that is not safe to repeat', async () => {
    const { outcome } = await stream(`data: ${'x'.repeat(2_000)}\n\n`, {
      runner: { maxResponseBytes: 1_000 },
      spec: { method: 'POST' },
    });
    expect(textOf(outcome)).toMatch(/Whether the request took effect is unknown; it was not sent again/);
  });

  it('is cut off with its call, within a second', async () => {
    const stop = new AbortController();
    let closed = (_at: number) => {};
    const cut = new Promise<number>((resolve) => {
      closed = resolve;
    });
    let stopped = Number.NaN;
    const { outcome } = await stream(
      (res) => {
        res.once('close', () => closed(performance.now()));
        res.write('data: one\n\n');
      },
      {
        signal: stop.signal,
        heard: () => {
          stopped = performance.now();
          stop.abort();
        },
      },
    );
    expect((await cut) - stopped).toBeLessThan(1_000);
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/cancelled/);
  });
});

describe('an answer that is no stream', () => {
  it.each([401, 429, 500])('with status %i is an error with its body, and none of it is progress', async (status) => {
    const { outcome, told } = await stream((res) => {
      res.statusCode = status;
      res.end(sse('{"progress":1}', 'no ink'));
    });
    expect(outcome).toMatchObject({ isError: true, upstream: { status } });
    expect(textOf(outcome)).toMatch(new RegExp(`^The backend answered ${status} .*\\n.*no ink`, 's'));
    expect(told).toEqual([]);
  });

  it('but JSON at once is the result', async () => {
    const { outcome, told } = await stream('{\n  "sum": 3\n}', { type: 'application/json' });
    expect(outcome).toMatchObject({ structuredContent: { sum: 3 } });
    expect(told).toEqual([]);
  });

  it('is followed to where it leads, by the same rules', async () => {
    let reached = 0;
    const inner = await listenHttp(cleanups, (_req, res) => {
      reached += 1;
      res.end();
    });
    const { outcome } = await stream(
      (res) => res.writeHead(302, { location: inner.replace('127.0.0.1', '127.0.0.2') }).end(),
      {
        guard: { allow: ['127.0.0.1/32'] },
      },
    );
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/may not be reached from tools/);
    expect(reached).toBe(0);
  });
});

describe('what a stream tells', () => {
  it('is decoded first', async () => {
    const { told } = await stream((res) => {
      res.setHeader('content-encoding', 'gzip');
      res.end(gzipSync(sse('one', 'two')));
    });
    expect(told.map(([, , , message]) => message)).toEqual(['one', 'two']);
  });

  it('never holds a secret that the request carried', async () => {
    const { source } = memorySecrets({ TOKEN: { value: 'correct-horse', hosts: ['127.0.0.1'] } });
    const spec = { headers: { authorization: 'Bearer {{secret.TOKEN}}' } };
    const { told, outcome } = await stream(
      sse('you sent correct-horse', `${'x'.repeat(490)}correct-horse`, 'correct-horse'),
      {
        secrets: source,
        spec,
      },
    );
    expect(JSON.stringify([told, outcome])).not.toMatch(/correct-h/);
    expect(told).toHaveLength(3);
  });

  it('has an end, and the result comes all the same', async () => {
    const { told, outcome } = await stream(sse(...Array.from({ length: 10_050 }, (_, i) => String(i))));
    expect(told).toHaveLength(10_000);
    expect(told.at(-1)).toEqual(['log', 'warning', expect.stringMatching(/more than 10000 events/)]);
    expect(textOf(outcome)).toBe('10049');
  });
});
