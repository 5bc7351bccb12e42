import { readFileSync } from 'node:fs';
import { problemCodes } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { problemKinds } from './catalogue.js';

describe('the catalogue of errors', () => {
  it('keeps the status of every code', () => {
    expect(Object.fromEntries(Object.entries(problemKinds).map(([code, { status }]) => [code, status]))).toEqual({
      bad_request: 400,
      invalid_document: 422,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      method_not_allowed: 405,
      conflict: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      validation_failed: 422,
      locked_out: 429,
      rate_limited: 429,
      host_not_allowed: 421,
      origin_not_allowed: 403,
      internal: 500,
      unavailable: 503,
      node_silent: 504,
    });
    expect(Object.keys(problemKinds).sort()).toEqual([...problemCodes].sort());
  });

  it('is what docs/errors.md shows', () => {
    const page = readFileSync(new URL('../../../../../docs/errors.md', import.meta.url), 'utf8').replace(/ +/g, ' ');
    for (const [code, { status, title, retryable }] of Object.entries(problemKinds)) {
      expect(page).toContain(`| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`);
    }
  });
});
