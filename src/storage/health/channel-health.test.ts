import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import {
  afterChannelSend,
  afterCheck,
  type ChannelService,
  type VendorAnswer,
} from '../../engine/sending/connection-health.ts';
import type { Sql } from '../database/database.ts';
import {
  claimChannelCheck,
  countFailing,
  forgetChannel,
  noteChannelHealth,
  planChannelCheck,
  readChannelHealth,
  removeOldHealth,
} from './channel-health.ts';

const [server] = await databases();
const open = () => {
  assert.ok(server);
  return testDatabase({ server, maxConnections: 8 });
};

const after = (minutes: number) => noon.add({ seconds: minutes * 60 });
const works: VendorAnswer = { kind: 'ok' };
const silent: VendorAnswer = { kind: 'outage', reason: 'timed out' };
const refused: VendorAnswer = { kind: 'refusal', reason: 'set PAGER_MAIL_FROM' };
const email: ChannelService = { organizationId: null, channel: 'email', service: '' };

const answering = (sql: Sql) => (of: ChannelService, answer: VendorAnswer, minutes: number) => {
  const now = after(minutes);
  return noteChannelHealth(sql, {
    of,
    now,
    change: (health) => afterChannelSend(health, answer, now),
  });
};

const pushTo = (organizationId: string, service: string): ChannelService => ({
  organizationId,
  channel: 'push-notification',
  service,
});

test('what one organization is refused says nothing of another’s channels; the mail server is everybody’s', async () => {
  await using database = await open();
  const { sql } = database;
  const [ours, theirs] = [await seedOrganization(sql), await seedOrganization(sql)];
  const answered = answering(sql);
  await answered(pushTo(ours.organizationId, 'push.example'), refused, 0);
  await answered(pushTo(theirs.organizationId, 'push.example'), works, 0);
  await answered({ ...email, organizationId: ours.organizationId }, refused, 0);
  const statesOf = async ({ organizationId }: { readonly organizationId: string }) => {
    const health = await readChannelHealth(sql, organizationId);
    return Object.fromEntries([...health].map(([channel, { state }]) => [channel, state]));
  };
  assert.deepEqual(await statesOf(ours), { email: 'failing', 'push-notification': 'failing' });
  assert.deepEqual(await statesOf(theirs), { 'push-notification': 'ok' });
  await answered(email, refused, 1);
  assert.deepEqual(await statesOf(theirs), { email: 'failing', 'push-notification': 'ok' });
  const counts = { email: 2, 'push-notification': 1 };
  assert.deepEqual(Object.fromEntries(await countFailing(sql)), counts);
  await forgetChannel(sql, 'email');
  assert.deepEqual(await statesOf(theirs), { 'push-notification': 'ok' });
  assert.deepEqual(await statesOf(ours), { 'push-notification': 'failing' });
});

test('of several services a channel shows the one that works worst, and has failed for longest', async () => {
  await using database = await open();
  const { sql } = database;
  const { organizationId } = await seedOrganization(sql);
  const answered = answering(sql);
  const shown = async () => {
    const health = await readChannelHealth(sql, organizationId);
    const { state, reason, failing_since } = health.get('push-notification') ?? {};
    return [state, reason, failing_since ? failing_since.since(noon).total('minutes') : null];
  };
  await answered(pushTo(organizationId, 'a.example'), works, 0);
  assert.deepEqual(await shown(), ['ok', null, null]);
  await answered(pushTo(organizationId, 'b.example'), silent, 1);
  assert.deepEqual(await shown(), ['degraded', 'timed out', null]);
  await answered(pushTo(organizationId, 'c.example'), { ...refused, reason: 'c' }, 2);
  await answered(pushTo(organizationId, 'd.example'), { ...refused, reason: 'd' }, 3);
  assert.deepEqual(await shown(), ['failing', 'c', 2]);
  await answered(pushTo(organizationId, 'c.example'), works, 4);
  assert.deepEqual(await shown(), ['failing', 'd', 3]);
});

test('a channel that works is written once a minute, and five silences of several servers make it fail', async () => {
  await using database = await open();
  const { sql } = database;
  const { organizationId } = await seedOrganization(sql);
  const answered = answering(sql);
  const of = pushTo(organizationId, 'push.example');
  const written = async () => {
    const [row] = await sql`select xmin::text from channel_health`;
    return row?.['xmin'];
  };
  await answered(of, works, 0);
  const first = await written();
  await Promise.all([0.1, 0.5, 0.9].map((minutes) => answered(of, works, minutes)));
  assert.equal(await written(), first);
  await answered(of, works, 1);
  assert.notEqual(await written(), first);
  const changes = await Promise.all(
    [1, 1.1, 1.2, 1.3, 1.4].map((minutes) => answered(of, silent, minutes)),
  );
  const failing = changes.filter(({ before, after }) => before.state !== after.state);
  assert.deepEqual(failing.map(({ after: { state } }) => state).sort(), ['degraded', 'failing']);
});

test('one server checks the mail server; a mail that fails has it checked soon', async () => {
  await using database = await open();
  const { sql } = database;
  const claim = (minutes: number) =>
    claimChannelCheck(sql, 'email', { now: after(minutes), until: after(minutes + 1) });
  const claims = await Promise.all([claim(0), claim(0), claim(0)]);
  assert.equal(claims.filter(Boolean).length, 1);
  assert.equal(await claim(1), true, 'the server that had it is gone');
  await planChannelCheck(sql, 'email', after(60));
  assert.equal(await claim(59), false);
  await answering(sql)(email, silent, 5);
  assert.equal(await claim(6), false);
  assert.equal(await claim(7), true);
  const now = after(8);
  const check = (reason: string | null) =>
    noteChannelHealth(sql, {
      of: email,
      now,
      change: (known) => afterCheck(known, { reason }, now),
    });
  assert.equal((await check('not trusted')).after.state, 'failing');
});

test('what is known of a service is forgotten once no notice can be under way there', async () => {
  await using database = await open();
  const { sql } = database;
  const { organizationId } = await seedOrganization(sql);
  const answered = answering(sql);
  await answered(email, refused, 0);
  await answered(pushTo(organizationId, 'old.example'), refused, 0);
  await answered(pushTo(organizationId, 'new.example'), refused, 60);
  assert.equal(await removeOldHealth(sql, after(25 * 60)), 1);
  const rows = await sql<
    { service: string }[]
  >`select service from channel_health order by service`;
  assert.deepEqual(
    rows.map(({ service }) => service),
    ['', 'new.example'],
  );
});
