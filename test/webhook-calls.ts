// An organisation with one open incident, whose webhooks are called as the running program does it,
// on a clock that is told.

import assert from 'node:assert/strict';
import { incidentRoutes } from '../src/api/incidents/routes.ts';
import { createChatWebhook } from '../src/channels/chat-webhook.ts';
import { createOutbound, type OutboundOptions } from '../src/channels/outbound.ts';
import { createOutboundWebhook } from '../src/channels/outbound-webhook.ts';
import { type Clock, systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import { Intake } from '../src/engine/intake/intake.ts';
import { silentLog } from '../src/engine/log.ts';
import { Dispatcher, type DispatchOptions } from '../src/engine/sending/dispatch.ts';
import { contentOf } from '../src/engine/sending/webhook-call.ts';
import { compose } from '../src/notices/queued.ts';
import type { ShiftIntent } from '../src/shifts/notice.ts';
import { type Sql, transact } from '../src/storage/database/database.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { auditLedger, type Finding } from '../src/storage/ledger-audit/audit.ts';
import { insertShiftNotices } from '../src/storage/outbox/shift-notices.ts';
import { type TestApi, testApi, testSecrets } from './api.ts';
import { compute } from './compute.ts';
import { cacheFor } from './configuration.ts';
import { type TestServer, testDatabase } from './database.ts';
import { eventReader } from './event-reader.ts';
import { webhookType } from './http-event.ts';
import { later, noon } from './incident-life.ts';
import { type Integration, seedIntegration } from './monitoring.ts';
import { noFaults as faults } from './no-faults.ts';
import { seedOrganization, type World } from './world.ts';

export type WebhookCalls = AsyncDisposable & {
  readonly api: TestApi;
  readonly sql: Sql;
  readonly world: World;
  /** A manager's. */
  readonly key: ReturnType<World['caller']>;
  readonly integration: Integration;
  /** Opens one more incident; answers its id. */
  trigger(title: string): Promise<string>;
  /** An outbound webhook by POST unless told; answers its id. */
  webhook(fields: { readonly url: string; readonly [name: string]: unknown }): Promise<string>;
  secretOf(webhookId: string): Promise<string>;
  call(incidentId: string, webhookId: string): Promise<void>;
  insertShiftNotice(intent: ShiftIntent): Promise<void>;
  /** Minutes after noon from now on. */
  at(minutes: number): void;
  /** Sends until nothing is due any more. */
  send(): Promise<void>;
  deliveries(webhookId: string, who?: ReturnType<World['caller']>): Promise<readonly Logged[]>;
  findings(): Promise<readonly Finding[]>;
};
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Logged = any;

type WebhookCallsOptions = Partial<
  Pick<OutboundOptions, 'allowNetworks' | 'resolve' | 'totalTimeoutMs'>
> &
  Partial<Pick<DispatchOptions, 'inFlightMax'>>;

export async function startWebhookCalls(
  server: TestServer,
  { inFlightMax = 128, ...options }: WebhookCallsOptions = {},
): Promise<WebhookCalls> {
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server, maxConnections: 6 }));
  let now = noon;
  const clock: Clock = { now: () => now };
  const publicUrl = 'https://pager.test';
  const world = await seedOrganization(sql, { teams: ['ops', 'web'], users: [{ name: 'ada' }] });
  const { organizationId, teams } = world;
  const { ops = '' } = teams;
  const key = world.caller({ defaultTeamId: ops });
  const scope = { organizationId, teamId: ops, now: noon };
  const steps = [{ targets: [{ via: 'slack' as const, webhook_url: 'https://chat.test/secret' }] }];
  const integration = await seedIntegration(sql, scope, { steps });
  const ids = createIds(clock);
  const configurations = cacheFor('webhook');
  const ledger = createLedger({ sql, ids, secrets: testSecrets, configurations, faults });
  const committed = () => {};
  const api = stack.use(
    await testApi({
      sql,
      clock,
      routes: incidentRoutes({
        sql,
        ledger,
        clock,
        ids,
        configurations,
        publicUrl,
        committed,
        faults,
        compute,
      }),
    }),
  );
  const outbound = createOutbound({
    log: silentLog,
    allowNetworks: ['127.0.0.0/8'],
    clock,
    ...options,
  });
  const dispatcher = new Dispatcher({
    ledger,
    log: silentLog,
    clock,
    random: () => 1,
    inFlightMax,
    faults,
    committed,
    attempted() {},
    channels: new Map([['slack', createChatWebhook('slack', outbound)]]),
    handleOf: () => '',
    compose: (claimed) => compose(claimed, { publicUrl, linkFor: () => '', handleFor: () => '' }),
    // Signed by the real time: receivers take no other.
    webhooks: createOutboundWebhook({ outbound, clock: systemClock, log: silentLog }),
    contentOf: (call) => contentOf(call, publicUrl),
  });
  const intake = new Intake({
    ledger,
    clock,
    ids,
    log: silentLog,
    typeOf: () => webhookType,
    committed,
    faults,
    ruled() {},
    reader: eventReader,
  });
  const done = async (line: string, body?: unknown) => {
    const answer = await api.send(key, line, body === undefined ? {} : { body });
    assert.ok(answer.status < 300, `${line}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const disposables = stack.move();
  return {
    api,
    sql,
    world,
    key,
    integration,
    async trigger(title) {
      await intake.receive({
        organizationId,
        integrationId: integration.id,
        slug: 'webhook',
        integrationName: 'Checks',
        source: 'http',
        path: '/push-events',
        contentType: 'application/json',
        body: new TextEncoder().encode(JSON.stringify({ title, body: { host: 'db-1' } })),
      });
      const { data } = await done('GET /incidents?limit=1');
      return data[0].id;
    },
    async webhook(fields) {
      const body = { name: 'Status page', method: 'POST', ...fields };
      return (await done('POST /outbound-webhooks', body)).id;
    },
    secretOf: async (id) => (await done(`GET /outbound-webhooks/${id}/secrets`)).data[0].secret,
    call: (incidentId, outbound_webhook_id) =>
      done(`POST /incidents/${incidentId}/call-webhook`, { outbound_webhook_id }),
    insertShiftNotice: (intent) =>
      transact(sql, (tx) => {
        const context = { sql: tx, ids, secrets: testSecrets };
        return insertShiftNotices(context, [{ organization_id: organizationId, intent }], now);
      }),
    at(minutes) {
      now = later(minutes);
    },
    async send() {
      const isDue = async () => ((await ledger.nextNotice()) ?? later(1e9)).since(now).sign <= 0;
      while (await isDue()) {
        await dispatcher.claim();
        await dispatcher.idle();
      }
    },
    async deliveries(id, who = key) {
      return (await api.send(who, `GET /outbound-webhooks/${id}/deliveries`)).body.data;
    },
    async findings() {
      const findings: Finding[] = [];
      await auditLedger({ sql, secrets: testSecrets }, (finding) => findings.push(finding));
      return findings;
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
