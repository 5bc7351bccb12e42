import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Batch, classify, type Fault, type Incoming, MAX_JSON_DEPTH, parseMessage, readBatch } from './codec.js';
import { encodeMessage, PreEncoded } from './encode.js';
import { MCP_CODES } from './errors.js';
import { errorMessage, notificationMessage, requestKey, requestMessage, resultMessage } from './messages.js';

const utf8 = (text: string) => new TextEncoder().encode(text);
const fault = (incoming: Incoming): Fault => {
  expect(incoming.kind).toBe('fault');
  return incoming as Fault;
};
const request = (members: string) => parseMessage(`{"jsonrpc":"2.0","method":"m",${members}}`);
const requestId = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger());

describe('seed A1 what is not JSON is -32700', () => {
  it.each([
    ['nothing', undefined, 'empty'],
    ['an empty text', '', 'empty'],
    ['blanks', ' \r\n', 'empty'],
    ['half an object', '{"jsonrpc":', 'valid JSON'],
    ['a NaN', '{"jsonrpc":"2.0","id":NaN,"method":"m"}', 'valid JSON'],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0x97, 0x22, 0x7d), 'UTF-8'],
    ['a text cut inside a character', utf8('{"a":"é').slice(0, -1), 'UTF-8'],
  ])('seed A1 refuses %s and names no request', (_, input, words) => {
    const { code, id, message } = fault(parseMessage(input));
    expect(code).toBe(-32700);
    expect(id).toBeUndefined();
    expect(message).toContain(words);
  });

  it('seed A1 reads good JSON behind a byte order mark, as bytes and as text', () => {
    const text = '\uFEFF{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect(parseMessage(text).kind).toBe('request');
    expect(parseMessage(utf8(text)).kind).toBe('request');
    expect(fault(parseMessage('\uFEFF')).code).toBe(-32700);
  });

  it('seed A1 never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }), (bytes, text) => {
        parseMessage(bytes);
        parseMessage(text);
      }),
    );
  });
});

describe('seed A2 what is JSON and no message is -32600', () => {
  it.each(['null', '1', '"x"', 'true'])('seed A2 refuses %s, which is no object', (text) => {
    expect(fault(parseMessage(text)).code).toBe(-32600);
  });

  it.each([
    ['no jsonrpc', '{"id":7,"method":"m"}'],
    ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":7,"method":"m"}'],
    ['jsonrpc as a number', '{"jsonrpc":2.0,"id":7,"method":"m"}'],
    ['no method', '{"jsonrpc":"2.0","id":7}'],
    ['an empty method', '{"jsonrpc":"2.0","id":7,"method":""}'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":7,"method":1}'],
    ['a null method', '{"jsonrpc":"2.0","id":7,"method":null}'],
  ])('seed A2 refuses %s and answers to the id it could read', (_, text) => {
    expect(fault(parseMessage(text))).toMatchObject({ code: -32600, id: 7, response: false });
  });

  it.each([
    ['a result without id', '{"jsonrpc":"2.0","result":{}}'],
    ['a result with a null id', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['result and error at once', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}'],
    ['an error without code', '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}'],
    ['an error that is no object', '{"jsonrpc":"2.0","id":1,"error":"x"}'],
    ['an answer without jsonrpc', '{"id":1,"result":{}}'],
  ])('seed A2 marks %s as a response, so that nobody answers it', (_, text) => {
    expect(fault(parseMessage(text))).toMatchObject({ code: -32600, response: true });
  });

  it('seed A2 reads results, and errors with, without and with a null id', () => {
    for (const text of [
      '{"jsonrpc":"2.0","id":"a","result":null}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","id":1,"error":null,"result":{}}',
    ]) {
      expect(parseMessage(text).kind).toBe('response');
    }
  });

  it('seed A2 refuses more than 64 levels, counted outside strings, and takes exactly 64', () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":${'['.repeat(levels - 2)}"]["${']'.repeat(levels - 2)}}}`;
    expect(parseMessage(nested(MAX_JSON_DEPTH)).kind).toBe('request');
    expect(fault(parseMessage(nested(MAX_JSON_DEPTH + 1)))).toMatchObject({ code: -32600 });
    expect(fault(parseMessage(nested(MAX_JSON_DEPTH + 1))).message).toContain('64 levels');
    expect(request(`"id":1,"params":{"a":"${'[{\\"'.repeat(500)}"}`).kind).toBe('request');
    expect(request(`"id":1,"params":{"a":[${'{},'.repeat(500)}[]]}`).kind).toBe('request');
    expect(fault(parseMessage('['.repeat(1_000_000))).code).toBe(-32600);
  });
});

describe('seed A3 params', () => {
  it('seed A3 leaves absent params undefined and keeps an object', () => {
    expect(request('"id":1')).toMatchObject({ kind: 'request', message: { method: 'm' } });
    expect(request('"id":1,"params":{"x":1}')).toMatchObject({ message: { params: { x: 1 } } });
  });

  it.each(['[]', '[1]', 'null', '"x"', '1', 'true'])('seed A3 refuses %s as params', (params) => {
    expect(fault(request(`"id":1,"params":${params}`))).toMatchObject({ code: -32600, id: 1 });
    expect(fault(request(`"params":${params}`)).code).toBe(-32600);
  });
});

describe('seed A4 ids', () => {
  it.each(['1', '0', '-5', '9007199254740991', '""', '"1"', '"a/b"'])('seed A4 takes the id %s as it is', (id) => {
    const incoming = request(`"id":${id}`);
    expect(incoming.kind).toBe('request');
    expect(JSON.stringify((incoming as { message: { id: unknown } }).message.id)).toBe(id);
  });

  it.each([
    'null',
    '3.14',
    '"\\ud800"',
    '1e2',
    '1E2',
    '1.0',
    '1.0000000000000000001',
    '9007199254740992',
    '9007199254740993',
    '1e400',
    'true',
    '[1]',
    '{}',
  ])('seed A4 refuses the id %s, and never takes it for a notification or another number', (id) => {
    expect(fault(request(`"id":${id}`))).toMatchObject({ code: -32600, response: false });
    expect(fault(request(`"id":${id}`)).id).toBeUndefined();
  });

  it('seed A4 finds a fractional id however the member is spelled, and is not misled by others', () => {
    expect(request('"\\u0069d" : 1.0').kind).toBe('fault');
    expect(request('"params":{"id":1.5},"id":1e2').kind).toBe('fault');
    expect(request('"id":1e2,"params":{"id":1}').kind).toBe('fault');
    expect(request('"id":1,"params":{"id":1.5}').kind).toBe('request');
    expect(request('"id":1,"params":{"s":"\\"id\\":1.5"}').kind).toBe('request');
    expect(request('"id":1.5,"id":2').kind).toBe('request');
    expect(parseMessage('{"jsonrpc":"2.0","id":1.0,"result":{}}').kind).toBe('fault');
  });

  it('seed A4 takes a message without id for a notification', () => {
    expect(request('"params":{}').kind).toBe('notification');
  });

  it('seed A4 keeps every legal id through text and back, and keys them apart', () => {
    fc.assert(
      fc.property(requestId, requestId, (one, other) => {
        const incoming = parseMessage(encodeMessage(requestMessage(one, 'm')));
        expect(incoming).toMatchObject({ kind: 'request', message: { id: one } });
        expect(requestKey(one) === requestKey(other)).toBe(one === other);
        expect(requestKey(String(one)) === requestKey(one)).toBe(typeof one === 'string');
      }),
    );
  });
});

describe('seed A5 batches', () => {
  it('seed A5 reports an array as a batch with its elements and judges neither', () => {
    expect(parseMessage('[1,{"jsonrpc":"2.0"}]')).toEqual({ kind: 'batch', items: [1, { jsonrpc: '2.0' }] });
    expect(parseMessage('[]')).toEqual({ kind: 'batch', items: [] });
  });

  it('RPC-06 reads each element as a message of its own', () => {
    const text =
      '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":2,"result":{}},[],7]';
    const elements = readBatch(parseMessage(text) as Batch);
    expect(elements.map(({ kind }) => kind)).toEqual(['request', 'notification', 'response', 'fault', 'fault']);
  });

  it('RPC-02 refuses ids of elements that are written with a fraction or an exponent, and no others', () => {
    const ids = ['1', '1e3', '1.0', '"1e3"', '9007199254740993', '1.0000000000000000001', '-5'];
    const text = `[${ids.map((id) => `{"jsonrpc":"2.0","params":{"id":1.5,"list":[1,{"id":2e1}]},"id":${id},"method":"m"}`)}]`;
    const elements = readBatch(parseMessage(text) as Batch);
    expect(elements.map((element) => (element.kind === 'request' ? element.message.id : element.kind))).toEqual([
      1,
      'fault',
      'fault',
      '1e3',
      'fault',
      'fault',
      -5,
    ]);
  });
});

describe('seed A6 builders and codes', () => {
  it('seed A6 builds what the codec reads back as the same kind', () => {
    fc.assert(
      fc.property(requestId, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (id, params) => {
        const sane = JSON.parse(JSON.stringify(params));
        const cases = [
          ['request', requestMessage(id, 'm', sane)],
          ['notification', notificationMessage('m', sane)],
          ['response', resultMessage(id, sane)],
          ['response', errorMessage(id, -32603, 'x', sane)],
        ] as const;
        for (const [kind, message] of cases) {
          expect(parseMessage(utf8(encodeMessage(message)))).toEqual({ kind, message });
          expect(classify(message)).toEqual({ kind, message });
        }
      }),
    );
  });

  it('seed A6 leaves the id out of an error that names no request, and the data out when there is none', () => {
    expect(encodeMessage(errorMessage(undefined, -32700, 'x'))).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}',
    );
  });

  it('seed A6 splices prepared text into the message and answers nothing as {}', () => {
    expect(encodeMessage(resultMessage('a"', new PreEncoded('{"n":1.0}')))).toBe(
      '{"jsonrpc":"2.0","id":"a\\"","result":{"n":1.0}}',
    );
    expect(JSON.stringify(new PreEncoded('{"n":1}'))).toBe('{"n":1}');
    expect(encodeMessage(resultMessage(1, undefined))).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  it('seed A6 refuses to encode a result that JSON would drop', () => {
    expect(() => encodeMessage(resultMessage(1, () => 1))).toThrow(TypeError);
    expect(() => encodeMessage(resultMessage(1, 1n))).toThrow(TypeError);
  });

  it('seed A6 pins the catalogue of codes', () => {
    expect(MCP_CODES).toEqual({
      PARSE_ERROR: -32700,
      INVALID_REQUEST: -32600,
      METHOD_NOT_FOUND: -32601,
      INVALID_PARAMS: -32602,
      INTERNAL_ERROR: -32603,
      RESOURCE_NOT_FOUND: -32002,
      HEADER_MISMATCH: -32020,
      MISSING_REQUIRED_CLIENT_CAPABILITY: -32021,
      UNSUPPORTED_PROTOCOL_VERSION: -32022,
      URL_ELICITATION_REQUIRED: -32042,
      REQUEST_CANCELLED: 1001,
      REQUEST_TIMEOUT: 1002,
    });
  });
});
