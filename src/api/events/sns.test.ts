import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { eventReader as reader } from '../../../test/event-reader.ts';
import { webhookType } from '../../../test/http-event.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import {
  certificate,
  confirmation,
  notification,
  signed,
  subscribeUrl,
  unsubscription,
} from '../../../test/vendors/sns.ts';
import type { JsonObject } from '../../alerts/alert.ts';
import { parseJson } from '../../alerts/body/json.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { unwrapSns } from '../../alerts/sns.ts';
import { createSnsClient } from '../../channels/sns.ts';
import { createIds } from '../../engine/ids.ts';
import { Intake } from '../../engine/intake/intake.ts';
import { Refusals } from '../../engine/intake/refusals.ts';
import { silentLog } from '../../engine/log.ts';
import type { Delivery } from '../../engine/sending/channel.ts';
import { noteRefusing } from '../../storage/ledger/deaf-spells.ts';
import { mountHooks } from './hooks.ts';

const token = 'a'.repeat(40);

/** Reads what was published as our own JSON. */
const type: IntegrationType = {
  ...webhookType,
  envelope: 'sns',
  read(request, about) {
    const body = request.source === 'http' ? Buffer.from(request.body).toString() : '';
    const parsed = parseJson(body);
    const sns = 'value' in parsed ? unwrapSns(parsed.value) : undefined;
    if (sns?.nothing !== undefined || request.source === 'mail') return { alerts: [] };
    if (sns === undefined) return webhookType.read(request, about);
    const message = typeof sns.message === 'string' ? sns.message : JSON.stringify(sns.message);
    return webhookType.read({ ...request, contentType: '', body: Buffer.from(message) }, about);
  },
};

/** The door of an integration behind which Amazon SNS answers so. */
async function open(
  pager: Pager,
  answers: { certificate?: Delivery; confirmation?: () => Promise<Delivery> } = {},
) {
  const { sql, clock } = pager;
  const { ledger } = pager.serve();
  const { id } = await pager.integration({ steps: [pager.step('ada')] });
  const { organizationId } = pager.scope;
  const known = { organizationId, integrationId: id, slug: 'webhook', integrationName: 'Alarms' };
  const intake = new Intake({
    ledger,
    clock,
    ids: createIds(clock),
    log: silentLog,
    typeOf: () => type,
    reader,
    committed() {},
    ruled() {},
    faults,
  });
  const requests: string[] = [];
  const warnings: string[] = [];
  const { certificate: pem, confirmation: confirm } = answers;
  const log = { ...silentLog, warn: (_: object, message: string) => warnings.push(message) };
  const { app } = await testApi({ sql, clock });
  mountHooks(app, {
    intake,
    refusals: new Refusals({
      clock,
      log: silentLog,
      record: intake.record,
      recordDeaf: (refusing) => noteRefusing(sql, refusing),
    }),
    recognise: async (secret) => (secret === token ? known : null),
    typeOf: () => type,
    log,
    sns: createSnsClient({
      log,
      clock,
      certificates: {
        request: async () => pem ?? { outcome: 'delivered', answer: certificate },
      },
      confirmations: {
        async request({ url }) {
          requests.push(url);
          return (await confirm?.()) ?? { outcome: 'delivered' };
        },
      },
    }),
  });
  return {
    requests,
    warnings,
    archive: () => sql`update integrations set archived_at = ${clock.now()} where id = ${id}`,
    async send(message: JsonObject, headers: Record<string, string> = {}) {
      const answer = await app.inject({
        method: 'POST',
        url: `/hooks/${token}/push-events`,
        headers: { 'content-type': 'text/plain; charset=UTF-8', ...headers },
        payload: JSON.stringify(message),
      });
      return answer.statusCode;
    },
    /** Of each event what became of it, and what is stored of its signature. */
    async log() {
      const rows = await sql<{ outcome: string; headers: Record<string, string> }[]>`
        select outcome, headers from events where integration_id = ${id} order by id`;
      return rows.map(({ outcome, headers }) => [outcome, headers['pager-signature']]);
    },
    bodies: async () => (await sql`select body from events order by id`).map((row) => row['body']),
    titles: async () => (await sql`select title from incidents`).map((row) => row['title']),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

const away: Delivery = { outcome: 'no_answer', reason: 'timed out connecting' };

test('an event that Amazon SNS signed is stored with that, and opens an incident', () =>
  withPager(async (pager) => {
    await using server = await open(pager);
    const forged = { 'pager-signature': 'forged' };
    assert.equal(await server.send(signed(notification), forged), 202);
    assert.deepEqual(await server.log(), [['opened', 'good']]);
    assert.deepEqual(await server.titles(), ['disk']);
    assert.deepEqual([server.warnings, server.requests], [[], []]);
  }));

test('an event with a bad signature is refused and opens nothing, and the operator learns of it', () =>
  withPager(async (pager) => {
    await using server = await open(pager);
    const forged = { ...signed(notification), Message: '{"title":"all is well"}' };
    assert.equal(await server.send(forged), 403);
    assert.equal(await server.send({ ...signed(confirmation), Token: '24' }), 403);
    // The log of events shows that something was refused, once for a while.
    assert.deepEqual([await server.log(), server.requests], [[['refused', undefined]], []]);
    assert.deepEqual(await server.titles(), []);
    assert.equal(server.warnings.length, 2);
    assert.match(server.warnings[0] ?? '', /refused: its signature is not from Amazon SNS/);
  }));

test('an event whose signature nobody can check pages all the same, and its log entry says so', () =>
  withPager(async (pager) => {
    await using server = await open(pager, { certificate: away });
    assert.equal(await server.send({ title: 'raw' }, { 'pager-signature': 'good' }), 202);
    assert.equal(await server.send(signed(notification)), 202);
    assert.deepEqual(await server.log(), [
      ['opened', 'absent: the message has no envelope'],
      ['opened', 'unchecked: its certificate could not be fetched: timed out connecting'],
    ]);
    assert.deepEqual(server.warnings, ['signatures of Amazon SNS are not checked']);
  }));

test('a signed subscription is confirmed once it is stored, the end of one never', () =>
  withPager(async (pager) => {
    let stored = -1;
    await using server = await open(pager, {
      async confirmation() {
        stored = (await pager.sql`select from events`).length;
        return { outcome: 'delivered' };
      },
    });
    assert.equal(await server.send(signed(confirmation)), 202);
    assert.equal(stored, 1);
    assert.equal(await server.send(signed(unsubscription)), 202);
    assert.deepEqual(server.requests, [subscribeUrl]);
    assert.deepEqual(await server.log(), [
      ['ignored', 'good'],
      ['ignored', 'good'],
    ]);
    assert.deepEqual(await server.titles(), []);
  }));

test('what is stored of a message ends or confirms no subscription', () =>
  withPager(async (pager) => {
    await using server = await open(pager);
    const UnsubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe';
    await server.send(signed({ ...notification, UnsubscribeURL }));
    await server.send(signed(confirmation));
    const bodies = (await server.bodies()).map((body) => JSON.parse(body));
    assert.deepEqual(bodies, [
      { ...signed(notification), UnsubscribeURL: '***' },
      { ...signed(confirmation), Token: '***', SubscribeURL: '***' },
    ]);
  }));

test('a subscription that is not signed for sure is not confirmed', () =>
  withPager(async (pager) => {
    const { Signature: _, ...unsigned } = signed(confirmation);
    await using server = await open(pager, { certificate: away });
    assert.equal(await server.send(unsigned), 202);
    // Amazon SNS sends it again, when its certificate may be there.
    assert.equal(await server.send(signed(confirmation)), 503);
    assert.deepEqual(server.requests, []);
  }));

test('a subscription that could not be confirmed is sent again, until it is', () =>
  withPager(async (pager) => {
    const answers = [away, away, { outcome: 'delivered' } as const];
    await using server = await open(pager, {
      confirmation: async () => answers.shift() ?? assert.fail('confirmed already'),
    });
    const statuses = [];
    for (let time = 0; time < 3; time += 1) statuses.push(await server.send(signed(confirmation)));
    assert.deepEqual(statuses, [503, 503, 202]);
    assert.equal(server.requests.length, 3);
  }));

test('an archived integration confirms no subscription', () =>
  withPager(async (pager) => {
    await using server = await open(pager);
    await server.archive();
    assert.equal(await server.send(signed(confirmation)), 410);
    assert.deepEqual(server.requests, []);
  }));
