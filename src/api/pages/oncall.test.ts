import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compute } from '../../../test/compute.ts';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { silentLog } from '../../engine/log.ts';
import { transact } from '../../storage/database.ts';
import { setPassword } from '../../storage/people/sign-ins.ts';
import { createAccounts } from '../sign-in/accounts.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { mountOncallPage } from './oncall.ts';

const PASSWORD = 'correct horse battery';
const ids = createIds(systemClock);

/** The page beside the API, and somebody who signs in. */
async function startPage() {
  const at = await startOnCallApi();
  const { sql, api } = at;
  const publicUrl = 'http://localhost:8080';
  const secret = 'a secret of more than thirty-two characters';
  const accounts = createAccounts({ sql, ids, log: silentLog, publicUrl, secret });
  mountOncallPage(api.app, { sql, accounts, clock: at.clock, compute });
  async function signIn(id: string): Promise<string> {
    const [user] = await sql<{ email: string }[]>`select email from users where id = ${id}`;
    const email = user?.email ?? '';
    const passwordHash = await hashPassword(PASSWORD);
    const now = systemClock.now();
    await transact(sql, (tx) =>
      setPassword(tx, { user: { id, name: email }, passwordHash, ids, now }),
    );
    const cookies = await accounts.signIn({ email, password: PASSWORD, userAgent: undefined });
    return (cookies ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
  }
  const open = (url: string, cookie?: string) =>
    api.app.inject({ url, ...(cookie !== undefined && { headers: { cookie } }) });
  return { ...at, signIn, open };
}

test('the page tells who is on call, who is next, the days ahead and the gaps', async () => {
  await using at = await startPage();
  const weekdays = { from_day: 'monday', from_time: '08:00', to_day: 'saturday', to_time: '08:00' };
  const layer = {
    users: [at.ada, at.bob],
    rotation: { ...daily, handoff: '08:00' },
    restriction: { type: 'weekly', windows: [weekdays] },
  };
  const id = await at.schedule([layer], { name: 'Nights', timezone: 'Europe/Berlin' });
  const cookie = await at.signIn(at.ada);
  at.pass({ hours: 12 });
  const page = await at.open(`/on-calls/${id}`, cookie);
  assert.equal(page.statusCode, 200);
  const text = page.body.replaceAll(/<[^>]*>/g, '');
  assert.match(text, /Nights/);
  assert.match(text, /bob Example is on call until Tue 2026-03-03 08:00 \+01:00\./);
  assert.match(text, /Next is ada Example, from Tue 2026-03-03 08:00 \+01:00\./);
  assert.match(text, /Sat 2026-03-07 08:00 \+01:00 – Mon 2026-03-09 08:00 \+01:00: layer 1 is out/);
  assert.match(text, /Times are of Europe\/Berlin\./);
  assert.equal(page.body.match(/<tr><td>/g)?.length, 11);
  assert.match(text, /Mon 2026-03-02 08:00 \+01:00Tue 2026-03-03 08:00 \+01:00bob Example/);
  assert.equal((await at.open('/on-calls/1', cookie)).body, page.body);
});

test('the page says so when nobody is on call or the schedule is archived', async () => {
  await using at = await startPage();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  await at.send(`DELETE /on-calls/${id}`);
  at.pass({ hours: 1 });
  const { body } = await at.open(`/on-calls/${id}`, await at.signIn(at.bob));
  assert.match(body, /<\/time> – later: the schedule is archived/);
  assert.match(body, /This schedule is archived\./);
  assert.match(body, /Nobody is on call now\./);
  assert.match(body, /Nobody comes next within a year\./);
});

test('what people wrote is shown, never run', async () => {
  await using at = await startPage();
  const nasty = '<script>alert(1)</script>"&';
  await at.sql`update users set first_name = ${nasty}, active = false where id = ${at.bob}`;
  const layer = { users: [at.ada], rotation: weekly };
  const id = await at.schedule([layer], { name: nasty });
  await at.sql`update oncall_schedules set layers = replace(layers::text, ${at.ada}, ${at.bob})::json`;
  await at.sql`
    update schedule_revisions set layers = replace(layers::text, ${at.ada}, ${at.bob})::json`;
  const page = await at.open(`/on-calls/${id}`, await at.signIn(at.ada));
  assert.ok(!page.body.includes('<script'));
  const shown = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;';
  assert.ok(page.body.includes(`<h1>${shown}</h1>`));
  assert.ok(page.body.includes(`${shown} Example, who is not active`));
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src/);
});

test('the page is for people of the organisation who are signed in', async () => {
  await using at = await startPage();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const stranger = await at.open(`/on-calls/${id}`);
  assert.deepEqual(
    [stranger.statusCode, stranger.headers.location],
    [303, `/sign-in?next=%2Fon-calls%2F${id}`],
  );
  const { users } = await seedOrganization(at.sql, { users: [{ name: 'mallory' }] });
  const cookie = await at.signIn(users['mallory'] ?? '');
  for (const url of [`/on-calls/${id}`, '/on-calls/1', '/on-calls/nights', '/on-calls/%00'])
    assert.equal((await at.open(url, cookie)).statusCode, 404, url);
});
