import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectNumbers, PUBLIC_URL, peopleWorld } from '../../../test/people-world.ts';
import {
  afterSend,
  type ChannelService,
  type VendorAnswer,
} from '../../engine/sending/connection-health.ts';
import { noteChannelHealth } from '../../storage/health/channel-health.ts';
import { reasonAgainstBrowsers } from './push.ts';

test('each channel says whether it is set up, and why not', async () => {
  for (const hasMailServer of [true, false]) {
    await using world = await peopleWorld(PUBLIC_URL, hasMailServer);
    const { body } = await world.call('GET /channels');
    const of = (name: string) => body.data.find((one: { channel: string }) => one.channel === name);
    assert.deepEqual(of('whatsapp'), {
      channel: 'whatsapp',
      usable: false,
      reason: 'Not available yet.',
    });
    assert.deepEqual(of('phone'), {
      channel: 'phone',
      usable: false,
      reason: 'No channel connection is set up.',
    });
    await connectNumbers(world);
    const { body: connected } = await world.call('GET /channels');
    for (const name of ['phone', 'sms'])
      assert.deepEqual(
        connected.data.find((one: { channel: string }) => one.channel === name),
        { channel: name, usable: true },
      );
    assert.deepEqual(of('push-notification'), {
      channel: 'push-notification',
      usable: true,
      health: { state: 'unchecked' },
      devices: [
        { kind: 'browser', usable: true },
        { kind: 'ntfy', usable: false, reason: 'No channel connection to ntfy is set up.' },
      ],
    });
    const email = of('email');
    assert.equal(email.usable, hasMailServer);
    if (hasMailServer) assert.equal(email.reason, undefined);
    else assert.match(email.reason, /PAGER_SMTP_URL/);
  }
});

const places: readonly (readonly [publicUrl: string, usable: boolean])[] = [
  ['https://pager.example.com', true],
  ['http://localhost:8080', true],
  ['http://127.0.0.1:8080', true],
  ['http://pager.example.com', false],
  ['http://10.0.0.7:8080', false],
];
for (const [publicUrl, usable] of places)
  test(`browsers take pushes from ${publicUrl}: ${usable}`, () => {
    assert.equal(reasonAgainstBrowsers(publicUrl) === null, usable);
  });

test('each channel that needs no connection shows how well it works, the reason and since when', async () => {
  await using world = await peopleWorld();
  const { sql } = world;
  const [organization] = await sql<{ id: string }[]>`select id from organizations`;
  assert.ok(organization);
  const now = world.now();
  const note = (of: ChannelService, answer: VendorAnswer) =>
    noteChannelHealth(sql, { of, now, change: (health) => afterSend(health, answer, now) });
  const ours = { organizationId: organization.id };
  const reason = 'the mail server refused the sign-in with 535';
  await note({ organizationId: null, channel: 'email', service: '' }, { kind: 'refusal', reason });
  await note({ ...ours, channel: 'discord', service: 'discord.com' }, { kind: 'ok' });
  const silent = { kind: 'outage', reason: 'push.example: timed out' } as const;
  await note({ ...ours, channel: 'push-notification', service: 'push.example' }, silent);
  const { body } = await world.call('GET /channels');
  const at = now.toString({ smallestUnit: 'millisecond' });
  const shown = body.data.map(({ channel, health }: { channel: string; health?: object }) => [
    channel,
    health,
  ]);
  assert.deepEqual(Object.fromEntries(shown), {
    phone: undefined,
    sms: undefined,
    whatsapp: undefined,
    telegram: undefined,
    email: { state: 'failing', checked_at: at, reason, failing_since: at },
    'push-notification': { state: 'degraded', checked_at: at, reason: silent.reason },
    slack: { state: 'unchecked' },
    msteams: { state: 'unchecked' },
    discord: { state: 'ok', checked_at: at },
  });
});
