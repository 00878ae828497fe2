// What every vendor has, and how one more joins: by its line in src/channels/vendors.ts.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  createNumberChannel,
  type NumberConnection,
  type NumberSending,
  type NumberVendor,
} from '../../src/channels/by-number.ts';
import { noLanes } from '../../src/channels/lanes.ts';
import { twilioSms } from '../../src/channels/twilio/channel.ts';
import { createVendorHttp } from '../../src/channels/vendor-http.ts';
import { vendors } from '../../src/channels/vendors.ts';
import type { Attempt, HandedOver } from '../../src/engine/sending/channel.ts';
import { sampleNotice } from '../../src/notices/kinds/incident.ts';
import { vendors as declared } from '../../src/resources/connections/vendors.ts';
import { noon } from '../incident-life.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { twilioConnection } from '../vendors/twilio-customer.ts';

test('vendors that are declared are those that do something', () => {
  const names = (all: readonly { readonly vendor: string }[]) => all.map(({ vendor }) => vendor);
  const declarations = vendors.map(({ declaration }) => declaration);
  assert.deepEqual(names(declarations).toSorted(), names(declared).toSorted());
  assert.deepEqual(new Set(declarations), new Set(declared));
});

for (const { declaration, baseUrl, send } of vendors) {
  const { vendor, channels } = declaration;
  describe(vendor, () => {
    test('has a guide, and a server that stands for it in tests', () => {
      for (const path of [`docs/connections/${vendor}.md`, `test/vendors/${vendor}.ts`])
        assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), path);
      if (baseUrl !== null) assert.equal(new URL(baseUrl).protocol, 'https:');
    });

    test('sends by each channel that it is declared to serve', () => {
      assert.deepEqual(Object.keys(send).toSorted(), channels.toSorted());
    });
  });
}

const to = '+4915112345678';
const notice = sampleNotice({ handles: { acknowledge: 'a', resolve: 'r', escalate: 'e' } });

/** A vendor of SMS that takes all, and knows what became of it. */
function createCarrier() {
  const taken: string[] = [];
  const queried: string[] = [];
  const carrier: NumberVendor = {
    serves: ({ settings }) => settings['sender'] !== undefined,
    async send({ connection: { id }, address }: NumberSending) {
      taken.push(address);
      const vendorId = `carrier-${taken.length}`;
      return { outcome: 'handed_over', connectionId: id, vendorId, receiptWithinSeconds: 60 };
    },
    async query({ one: { vendorId } }) {
      queried.push(vendorId);
      return { type: 'known', receipt: { state: 'delivered', reason: '', blame: null } };
    },
  };
  return { carrier, taken, queried };
}

const attempt = (...earlier: readonly HandedOver[]): Attempt => ({
  handle: 'h-1.x',
  earlier,
  thread: null,
  until: noon.add({ seconds: 60 }),
  isWanted: async () => true,
});

test('a page that one vendor does not deliver goes by the next one', async () => {
  await using fake = await startFakeTwilio(() => noon);
  let now = noon;
  const { carrier, taken, queried } = createCarrier();
  const second: NumberConnection = {
    organization_id: notice.organization.id,
    id: 'c2',
    name: 'Carrier',
    vendor: 'carrier',
    settings: { allowed_prefixes: ['+49'], sender: 'Pager' },
    secrets: {},
  };
  const unset = { ...second, id: 'c3', settings: { allowed_prefixes: ['+49'] } };
  const names: Record<string, string> = { c1: twilioConnection(fake).name, c2: 'Carrier' };
  const answers: string[] = [];
  const twilio = twilioSms({
    hasOpenWindow: async () => false,
    lanes: noLanes,
    baseUrl: fake.url,
    http: createVendorHttp(),
    callbackUrl: null,
    clock: { now: () => now },
    turn: async () => true,
    hold: async () => undefined,
    takenByOthers: async () => new Set(),
  });
  const sms = createNumberChannel({
    channel: 'sms',
    vendors: new Map([
      ['twilio', twilio],
      ['carrier', carrier],
    ]),
    connectionsOf: async () => [unset, twilioConnection(fake), second],
    inTurn: async (connections) => connections,
    answered: async ({ vendor }, { kind }) => void answers.push(`${vendor} ${kind}`),
    lost: async () => undefined,
  });
  const send = async (...earlier: readonly HandedOver[]): Promise<HandedOver> => {
    const delivery = await sms.send(notice, to, attempt(...earlier));
    assert.ok(delivery.outcome === 'handed_over', JSON.stringify(delivery));
    const { connectionId, connectionName, vendorId } = delivery;
    assert.equal(connectionName, names[connectionId]);
    return { connectionId, vendorId, receipt: null };
  };
  fake.misbehave('POST /Messages.json', { type: 'broken' });
  assert.equal(
    (await sms.send(notice, to, attempt())).outcome,
    'no_answer',
    'it may have taken it',
  );
  now = noon.add({ seconds: 3 });
  assert.equal((await send()).connectionId, 'c2', 'one that fails, once its list is believed');
  const first = await send();
  assert.equal(first.connectionId, 'c1');
  const next = await send(first);
  assert.equal(next.connectionId, 'c2', 'one that reports nothing, with the next try');
  const confirmed = await sms.send(notice, to, attempt(first, next));
  assert.equal(confirmed.outcome, 'delivered', 'each vendor is queried for its own');
  assert.deepEqual([taken, queried], [[to, to], ['carrier-2']]);
  assert.deepEqual(answers, ['twilio outage', 'carrier ok', 'twilio ok', 'carrier ok']);
});
