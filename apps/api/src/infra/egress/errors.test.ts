import { describe, expect, it } from 'vitest';
import { describeFailure, EgressFailure } from './errors.js';

const failing = (code: string) => Object.assign(new Error(`secret details of ${code} at 10.0.0.1`), { code });

describe('describeFailure', () => {
  it.each([
    ['ENOTFOUND', 'dns', false],
    ['ECONNREFUSED', 'connect', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect', false],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', true],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', true],
    ['ECONNRESET', 'reset', true],
    ['UND_ERR_SOCKET', 'reset', true],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'malformed', true],
    ['CERT_HAS_EXPIRED', 'tls', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', false],
    ['Z_DATA_ERROR', 'encoding', true],
    ['SOMETHING_NEW', 'unknown', true],
  ])('reads %s as %s', (code, kind, sent) => {
    const failure = describeFailure(failing(code));
    expect(failure).toMatchObject({ kind, sent });
    expect(failure.message).not.toMatch(/secret|10\.0\.0\.1/);
  });

  it('leaves what is described alone, and describes what is no error', () => {
    const known = new EgressFailure('dns', 'x', false);
    expect(describeFailure(known)).toBe(known);
    expect(describeFailure(undefined).kind).toBe('unknown');
  });
});
