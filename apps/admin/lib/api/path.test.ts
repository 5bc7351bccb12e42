import { describe, expect, it } from 'vitest';
import { apiPath, withQuery } from './path';

describe('a path of the API', () => {
  it('encodes its segments, and the members of its query that have a value', () => {
    const path = withQuery(apiPath('tenants', 'a/b'), { era: 'http+sse', q: '', node: null, limit: 0 });
    expect(path).toBe('/api/v1/tenants/a%2Fb?era=http%2Bsse&limit=0');
  });

  it('takes more members than it has', () => {
    expect(withQuery(withQuery('/x', { era: 'session' }), { limit: 200, cursor: undefined })).toBe(
      '/x?era=session&limit=200',
    );
    expect(withQuery(withQuery('/x', {}), { limit: 200 })).toBe('/x?limit=200');
  });
});
