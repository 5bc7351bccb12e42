import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, openApi, useApi } from '../../../test/harness/api.js';
import { PeopleRepository } from './people.repository.js';

const api = useApi();
const password = 'a long enough password';
const setUp = { adminToken: ADMIN_TOKEN, email: 'Ada@Example.com', name: 'Ada', password };

describe('POST /setup', () => {
  it('wants the admin token and a decent password', async () => {
    expect((await api.get('/api/v1/setup', { as: null })).json()).toEqual({ needed: true });
    const wrong = await api.post('/api/v1/setup', { ...setUp, adminToken: 'guess' }, { as: null });
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'unauthenticated']);
    const short = await api.post('/api/v1/setup', { ...setUp, password: 'short' }, { as: null });
    expect(short.json().errors).toEqual([{ path: '/password', message: 'must have at least 12 characters' }]);
    expect(short.body).not.toContain(ADMIN_TOKEN);
  });

  it('makes one operator, however many try at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => api.post('/api/v1/setup', { ...setUp, email: `ada${n}@example.com` }, { as: null })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
    const { token } = answers.find(({ statusCode }) => statusCode === 201)?.json() ?? {};
    const me = (await api.get('/api/v1/me', { as: token })).json();
    expect(me).toMatchObject({ kind: 'user', platformRole: 'operator', name: 'Ada', tenants: [] });
    expect((await api.get('/api/v1/setup', { as: null })).json()).toEqual({ needed: false });
    const { rows } = await api.db.superuser.query(`SELECT actor FROM audit_entries WHERE action = 'user.setup'`);
    expect(rows).toEqual([{ actor: 'automation' }]);
  });

  it('makes the first operator the owner of tenants that automation made, and says so in their trail', async () => {
    const other = await openApi();
    try {
      await other.post('/api/v1/tenants', { slug: 'made-before', name: 'Made before' });
      const { token } = (await other.post('/api/v1/setup', setUp, { as: null })).json();
      const me = (await other.get('/api/v1/me', { as: token })).json();
      expect(me.tenants).toEqual([{ slug: 'made-before', name: 'Made before', role: 'owner' }]);
      const trail = (await other.get('/api/v1/tenants/made-before/audit', { as: token })).json().items;
      expect(trail[0]).toMatchObject({ action: 'member.add', actor: 'automation', detail: { role: 'owner' } });
    } finally {
      await other.close();
    }
  });

  it('says what to do when there is no admin token', async () => {
    const other = await openApi({ config: { adminToken: undefined } });
    try {
      const refused = await other.post('/api/v1/setup', { ...setUp, adminToken: 'undefined' }, { as: null });
      expect([refused.statusCode, refused.json().detail]).toEqual([401, expect.stringContaining('GANTRY_ADMIN_TOKEN')]);
    } finally {
      await other.close();
    }
  });
});

describe('sign-in', () => {
  const signIn = (email: string, word: string, from = '198.51.100.1') =>
    api.post('/api/v1/auth/sign-in', { email, password: word }, { as: null, from });
  let email: string;
  beforeAll(async () => {
    email = (await api.db.superuser.query('SELECT email FROM users')).rows[0].email;
  });

  it('opens a session that ends with sign-out', async () => {
    const { token, expiresAt } = (await signIn(` ${email.toUpperCase()} `, password)).json();
    expect(token).toMatch(/^gts_/);
    expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now());
    expect((await api.get('/api/v1/me', { as: token })).statusCode).toBe(200);
    const { rows } = await api.db.superuser.query(`SELECT t::text FROM user_sessions t`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect((await api.post('/api/v1/auth/sign-out', undefined, { as: token })).statusCode).toBe(204);
    expect((await api.get('/api/v1/me', { as: token })).statusCode).toBe(401);
  });

  it('says the same to a stranger and to a wrong password', async () => {
    const known = (await signIn(email, 'wrong')).json();
    const stranger = (await signIn('nobody@example.com', 'wrong')).json();
    const { requestId: _one, ...first } = known;
    const { requestId: _two, ...second } = stranger;
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await signIn(email, password)).statusCode).toBe(200);
  });

  it('locks out after ten failures, also when they come at once, and even the right password', async () => {
    const failures = await Promise.all(Array.from({ length: 14 }, () => signIn(email, 'wrong', '198.51.100.2')));
    const statuses = failures.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const right = await signIn(email, password, '198.51.100.3');
    expect([right.statusCode, right.json().code]).toEqual([429, 'locked_out']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    const { rows } = await api.db.superuser.query(`SELECT actor FROM audit_entries WHERE action = 'user.lock'`);
    expect(rows).toEqual([{ actor: 'anonymous' }]);
    await api.db.superuser.query(`UPDATE users SET locked_until = now() - interval '1 second'`);
    expect((await signIn(email, password, '198.51.100.3')).statusCode).toBe(200);
  });

  it('locks out addresses nobody has in the same way', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await signIn('ghost@example.com', 'x', '198.51.100.4')).statusCode);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  it('keeps nobody out for ever by a last attempt that is never judged', async () => {
    await api.db.superuser.query('UPDATE users SET failed_attempts = 9, locked_until = NULL');
    // The process could end here, or have too many passwords to look at.
    await api.app.nest.get(PeopleRepository).beginAttempt(email, new Date(), 10, 60_000);
    expect((await signIn(email, password, '198.51.100.6')).statusCode).toBe(429);
    await api.db.superuser.query(`UPDATE users SET locked_until = now() - interval '1 second'`);
    expect((await signIn(email, password, '198.51.100.6')).statusCode).toBe(200);
  });

  it('says the same to both when they are locked out', async () => {
    const lastOf = async (address: string) => {
      let answer = await signIn(address, 'wrong', '198.51.100.5');
      for (let i = 0; i < 10; i += 1) answer = await signIn(address, 'wrong', '198.51.100.5');
      return answer;
    };
    const [known, stranger] = [await lastOf(email), await lastOf('spectre@example.com')];
    expect([known.statusCode, known.json().code]).toEqual([429, 'locked_out']);
    expect(known.json().detail).toBe(stranger.json().detail);
    expect(Object.keys(known.json())).toEqual(Object.keys(stranger.json()));
    await api.db.superuser.query('UPDATE users SET locked_until = NULL, failed_attempts = 0');
  });
});
