import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { createApiKey, MakerRevoked } from '../../storage/people/api-keys.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { call, first } = world;

async function makeKey(fields: object, by = first.key) {
  const body = { name: 'a key', ...fields };
  const answer = await call('POST /api-keys', { key: by, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

test('a key is shown once, and only its digest is kept', async () => {
  const made = await makeKey({ role: 'viewer' });
  assert.match(made.key, /^pgr_[0-9a-f]{40}$/);
  assert.equal(made.prefix, made.key.slice(0, 10));
  const read = (await call(`GET /api-keys/${made.id}`)).body;
  assert.equal('key' in read, false);
  const { key: _key, ...rest } = made;
  assert.deepEqual(read, rest);
  const rows = await world.sql`select * from api_keys`;
  assert.equal(JSON.stringify(rows).includes(made.key), false);
  const sentBack = { ...made, name: 'renamed' };
  const text = { key: first.key, body: sentBack };
  const { body } = await call(`PATCH /api-keys/${made.id}`, text);
  assert.deepEqual(body, { ...rest, name: 'renamed' });
});

test('a key opens as x-api-key and as a bearer token; others open nothing', async () => {
  const { key } = await makeKey({ role: 'viewer' });
  for (const [headers, status] of [
    [{ 'x-api-key': key }, 200],
    [{ authorization: `Bearer ${key}` }, 200],
    [{ authorization: `bearer ${key}` }, 200],
    [{ 'x-api-key': `${key}0` }, 401],
    [{ 'x-api-key': '' }, 401],
    [{ authorization: `Basic ${key}` }, 401],
    [{}, 401],
  ] as [Record<string, string>, number][])
    assert.equal((await call('GET /teams', { headers })).status, status, JSON.stringify(headers));
});

test('a wrong key is not made good by a session', async () => {
  const session = await world.signIn('ada@example.com', 'correct horse battery');
  assert.equal((await call('GET /teams', { session })).status, 200);
  assert.equal((await call('GET /teams', { session, key: 'pgr_wrong' })).status, 401);
});

test('whoever presents a whole key that has ended is told why and since when, and nobody else', async () => {
  const key = await makeKey({ role: 'viewer' });
  const refusalOf = async (text: string) => {
    const { status, body } = await call('GET /teams', { key: text });
    assert.deepEqual([status, body.error], [401, 'unauthorized']);
    return body.message;
  };
  const unknown = await refusalOf(`${key.key.slice(0, -1)}x`);
  assert.match(unknown, /^Authentication is missing or invalid\./);
  const at = '2026-01-02T03:04:05.000Z';
  await world.sql`update api_keys set expires_at = ${at} where id = ${key.id}`;
  assert.equal(await refusalOf(key.key), `This API key expired at ${at}.`);
  assert.equal(await refusalOf(`${key.key.slice(0, -1)}x`), unknown);
  assert.equal(await refusalOf(key.prefix), unknown);
  const { body } = await call(`DELETE /api-keys/${key.id}`);
  assert.equal(await refusalOf(key.key), `This API key was revoked at ${body.archived_at}.`);
});

test('an expired key and a revoked key are refused', async () => {
  const soon = Temporal.Now.instant().add({ hours: 1 }).toString();
  const expiring = await makeKey({ role: 'viewer', expires_at: soon });
  assert.equal((await call('GET /teams', { key: expiring.key })).status, 200);
  await world.sql`
    update api_keys set expires_at = now() - interval '1 second' where id = ${expiring.id}`;
  assert.equal((await call('GET /teams', { key: expiring.key })).status, 401);
  const body = { expires_at: Temporal.Now.instant().add({ hours: 2 }).toString() };
  await call(`PATCH /api-keys/${expiring.id}`, { key: first.key, body });
  assert.equal((await call('GET /teams', { key: expiring.key })).status, 200);
  const gone = await call(`DELETE /api-keys/${expiring.id}`);
  assert.deepEqual(Object.keys(gone.body), ['id', 'archived_at', 'warnings']);
  assert.deepEqual((await call(`DELETE /api-keys/${expiring.id}`)).body, gone.body);
  assert.equal((await call('GET /teams', { key: expiring.key })).status, 401);
  const late = await call(`PATCH /api-keys/${expiring.id}`, { key: first.key, body });
  assert.equal(late.body.error, 'archived');
});

test('an expiry in the past is a mistake', async () => {
  const body = { name: 'x', role: 'viewer', expires_at: '2020-01-01T00:00:00Z' };
  const answer = await call('POST /api-keys', { key: first.key, body });
  assert.deepEqual(answer.body.issues, [{ path: 'expires_at', message: 'must be in the future' }]);
});

test('a key makes and touches only keys of its own role or less', async () => {
  const admin = await makeKey({ role: 'admin' });
  await makeKey({ role: 'admin' }, admin.key);
  const body = { name: 'x', role: 'owner' };
  const above = await call('POST /api-keys', { key: admin.key, body });
  assert.deepEqual([above.status, above.body.error], [403, 'forbidden']);
  const owners = await makeKey({ role: 'owner' });
  const rename = { key: admin.key, body: { name: 'mine now' } };
  assert.equal((await call(`PATCH /api-keys/${owners.id}`, rename)).status, 403);
  assert.equal((await call(`DELETE /api-keys/${owners.id}`, { key: admin.key })).status, 403);
});

test('a key makes and prolongs none beyond its own expiry', async () => {
  const at = (hours: number) => Temporal.Now.instant().add({ hours }).toString();
  const short = await makeKey({ role: 'admin', expires_at: at(1) });
  const { key } = short;
  const own = short.expires_at;
  const tooLong = [
    {
      path: 'expires_at',
      message: `must not be after ${own}, when the API key of this request expires`,
    },
  ];
  for (const more of [{}, { expires_at: at(2) }]) {
    const body = { name: 'longer', role: 'viewer', ...more };
    const refused = await call('POST /api-keys', { key, body });
    assert.deepEqual([refused.status, refused.body.issues], [422, tooLong]);
  }
  for (const expires_at of [at(2), null]) {
    const body = { expires_at };
    const refused = await call(`PATCH /api-keys/${short.id}`, { key, body });
    assert.deepEqual([refused.status, refused.body.issues], [422, tooLong]);
  }
  const renamed = await call(`PATCH /api-keys/${short.id}`, { key, body: { name: 'x' } });
  assert.equal(renamed.status, 200);
  await makeKey({ role: 'viewer', expires_at: own }, key);
});

test('keys that a key made end with it, at any remove, and whoever revokes it reads which', async () => {
  const leaked = await makeKey({ role: 'admin' });
  const child = await makeKey({ name: 'Ada Lovelace', role: 'admin' }, leaked.key);
  const grandchild = await makeKey({ name: 'CI', role: 'viewer' }, child.key);
  const gone = await makeKey({ role: 'viewer' }, leaked.key);
  await call(`DELETE /api-keys/${gone.id}`);
  assert.deepEqual(
    [leaked.made_by_key_id, child.made_by_key_id, grandchild.made_by_key_id],
    [(await call('GET /api-keys')).body.data[0].id, leaked.id, child.id],
  );
  assert.deepEqual(
    [leaked, child].map((one) => one.ends_with_maker),
    [true, true],
  );
  const session = await world.signIn('ada@example.com', 'correct horse battery');
  const body = { name: 'By a person', role: 'viewer' };
  const byPerson = (await call('POST /api-keys', { session, body })).body;
  assert.equal('made_by_key_id' in byPerson || 'ends_with_maker' in byPerson, false);
  const mail = await world.mail.arrival('the mail about it', ({ subject }) =>
    /^An API key was created/.test(subject),
  );
  assert.deepEqual(
    [mail.to, mail.text.includes(`API key: By a person (${byPerson.prefix})`)],
    ['Ada@example.com', true],
  );
  const { warnings } = (await call(`DELETE /api-keys/${leaked.id}`)).body;
  const created = (one: { name: string; prefix: string }) =>
    `The API key "${one.name}" (${one.prefix}) was created with this key`;
  assert.deepEqual(
    warnings,
    [child, grandchild].map((one) => `${created(one)} and ended with it.`),
  );
  for (const { id, key } of [child, grandchild]) {
    assert.equal((await call('GET /teams', { key })).status, 401);
    const audited = await world.sql`
      select action from audit_log where record_id = ${id} order by sequence`;
    assert.deepEqual(
      audited.map(({ action }) => action),
      ['create', 'archive'],
    );
  }
  assert.equal((await call('GET /teams', { key: byPerson.key })).status, 200);
  assert.deepEqual((await call(`DELETE /api-keys/${leaked.id}`)).body.warnings, []);
});

test('a key that an earlier release let a key make stays, and is named', async () => {
  const maker = await makeKey({ role: 'admin' });
  const made = await makeKey({ name: 'Old', role: 'viewer' }, maker.key);
  await world.sql`update api_keys set ends_with_maker = false where id = ${made.id}`;
  const { warnings } = (await call(`DELETE /api-keys/${maker.id}`)).body;
  assert.deepEqual(warnings, [
    `The API key "Old" (${made.prefix}) was created with this key and is still valid. If this key was leaked, revoke that key too.`,
  ]);
  assert.equal((await call('GET /teams', { key: made.key })).status, 200);
});

test('keys that a key made expire no later than it', async () => {
  const at = (hours: number) => Temporal.Now.instant().add({ hours }).toString();
  const maker = await makeKey({ role: 'admin' });
  const child = await makeKey({ role: 'admin', expires_at: at(9) }, maker.key);
  const grandchild = await makeKey({ role: 'viewer', expires_at: at(1) }, child.key);
  const endless = await makeKey({ role: 'viewer' }, maker.key);
  const body = { expires_at: at(5) };
  const changed = (await call(`PATCH /api-keys/${maker.id}`, { key: first.key, body })).body;
  const expiries = await Promise.all(
    [child, grandchild, endless].map(
      async ({ id }) => (await call(`GET /api-keys/${id}`)).body.expires_at,
    ),
  );
  assert.deepEqual(expiries, [changed.expires_at, grandchild.expires_at, changed.expires_at]);
});

test('a key that was revoked meanwhile makes none', async () => {
  const maker = await makeKey({ role: 'admin' });
  await call(`DELETE /api-keys/${maker.id}`);
  const making = createApiKey(world.sql, {
    act: {
      organizationId: first.organizationId,
      teamIds: null,
      actor: { kind: 'key', id: maker.id, name: maker.name },
      requestId: null,
      now: Temporal.Now.instant(),
    },
    ids: createIds(systemClock),
    fields: { name: 'late', role: 'viewer' },
    prefix: 'pgr_late',
    digest: new Uint8Array(32),
  });
  await assert.rejects(making, MakerRevoked);
});

test('owners get an e-mail about a key that a key made, a limited number in an hour', async () => {
  await world.pass({ minutes: 61 });
  const { email } = (await world.member('owner')).user;
  const before = world.mail.mails.length;
  const made = await makeKey({ name: 'CI of the shop', role: 'viewer' });
  const isIt = ({ to, text }: { readonly to: string; readonly text: string }) =>
    to.includes(email) && text.includes(`API key: CI of the shop (${made.prefix})`);
  const mail = await world.mail.arrival('the mail to an owner', isIt);
  assert.match(mail.subject, /^An API key created another API key/);
  assert.match(mail.text, /Created with: First key/);
  assert.equal(mail.text.includes(made.key), false);
  for (let index = 0; index < accessLimits.keyMails + 5; index += 1)
    await makeKey({ name: `Flood ${index}`, role: 'viewer' });
  await world.idle();
  const mails = world.mail.mails.slice(before).filter(({ to }) => to.includes(email));
  assert.equal(mails.length, accessLimits.keyMails);
});

test('a key confined to teams makes only keys within them, and sees no others', async () => {
  const body = { name: 'Ops' };
  const ops = (await call('POST /teams', { key: first.key, body })).body.id;
  const confined = await makeKey({ role: 'admin', team_ids: [ops], default_team_id: ops });
  const key = confined.key;
  const tries: [object, string][] = [
    [{ role: 'viewer' }, 'team_ids'],
    [{ role: 'viewer', team_ids: [first.teamId] }, 'team_ids[0]'],
    [{ role: 'viewer', team_ids: [ops], default_team_id: first.teamId }, 'default_team_id'],
  ];
  for (const [fields, path] of tries) {
    const text = { key, body: { name: 'x', ...fields } };
    const answer = await call('POST /api-keys', text);
    assert.deepEqual([answer.status, answer.body.issues[0].path], [422, path]);
  }
  const inside = await makeKey({ role: 'viewer', team_ids: [ops] }, key);
  const wide = await makeKey({ role: 'viewer' });
  const seen = (await call('GET /api-keys', { key })).body.data;
  assert.deepEqual(
    seen.map((one: { id: string }) => one.id).sort(),
    [confined.id, inside.id].sort(),
  );
  assert.equal((await call(`GET /api-keys/${wide.id}`, { key })).status, 404);
  assert.equal((await call(`DELETE /api-keys/${wide.id}`, { key })).status, 404);
  assert.equal((await call(`GET /teams/${first.teamId}`, { key })).status, 404);
  assert.equal((await call('GET /teams', { key })).body.data.length, 1);
  const patch = { key, body: { name: 'Mine' } };
  assert.equal((await call(`PATCH /users/${first.userId}`, patch)).status, 403);
  assert.equal((await call('PATCH /organization', patch)).status, 403);
});

test('what a key may do never changes', async () => {
  const { id } = await makeKey({ role: 'viewer' });
  const body = { name: 'renamed', role: 'owner' };
  const answer = await call(`PATCH /api-keys/${id}`, { key: first.key, body });
  assert.deepEqual([answer.body.error, answer.body.issues[0].path], ['immutable', 'role']);
});

test('the last use is noted beside the request, at most once a minute', async () => {
  const { id, key } = await makeKey({ role: 'viewer' });
  const lastUsed = async () => {
    await world.idle();
    return (await call(`GET /api-keys/${id}`)).body.last_used_at;
  };
  assert.equal(await lastUsed(), undefined);
  await call('GET /teams', { key });
  const once = await lastUsed();
  assert.ok(once);
  world.pass({ seconds: 20 });
  await call('GET /teams', { key });
  assert.equal(await lastUsed(), once);
  world.pass({ seconds: 45 });
  await call('GET /teams', { key });
  assert.ok((await lastUsed()) > once);
});

test('an organization has a limited number of active keys', async () => {
  const { organizationId } = first;
  const [{ count: before }] = (await world.sql`
    select count(*)::integer as count from api_keys
    where organization_id = ${organizationId} and archived_at is null`) as unknown as [
    { count: number },
  ];
  await world.sql`
    insert into api_keys (organization_id, id, name, role, prefix, digest, created_at, created_by)
    select ${organizationId}, lpad(to_hex(n), 24, '0'), 'one of many', 'viewer', 'pgr_many',
      decode(lpad(to_hex(n), 64, '0'), 'hex'), now(), 'Ada'
    from generate_series(1, ${accessLimits.apiKeys - before - 1}) as n`;
  const last = await makeKey({ role: 'viewer' });
  const body = { name: 'one too many', role: 'viewer' };
  const refused = await call('POST /api-keys', { key: first.key, body });
  assert.equal(refused.status, 409);
  assert.match(JSON.stringify(refused.body), /already has 1,000 active API keys, the maximum/);
  await call(`DELETE /api-keys/${last.id}`);
  await makeKey({ role: 'viewer' });
});
