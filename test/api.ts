// The API over one database, its callers known by the key they send.
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { integrationTypes } from '../src/alerts/index.ts';
import type { Compute } from '../src/api/computing/computer.ts';
import { unpostableWarnings } from '../src/api/connections/unpostable-channels.ts';
import { contactWarnings } from '../src/api/contacts/contact-warnings.ts';
import { createUnknownKeys, type UnknownKeys } from '../src/api/dialects/unknown-keys.ts';
import { keyRoutes } from '../src/api/integrations/adopted-keys.ts';
import { groupingWarnings } from '../src/api/integrations/grouping-warnings.ts';
import { mappingRoutes } from '../src/api/integrations/mapping.ts';
import { coverageWarnings } from '../src/api/oncall/coverage.ts';
import { notificationRoutes } from '../src/api/oncall/notifications.ts';
import { quotaRoutes } from '../src/api/people/quota.ts';
import { peopleRoutes } from '../src/api/people/routes.ts';
import type { Capabilities } from '../src/api/records/record-hooks.ts';
import { recordRoutes } from '../src/api/records/routes.ts';
import type { Caller, Route } from '../src/api/route.ts';
import { createApi } from '../src/api/server.ts';
import { createAccountMails } from '../src/api/sign-in/account-mails.ts';
import { hashPassword } from '../src/api/sign-in/passwords/passwords.ts';
import { webhookDeliveryRoutes } from '../src/api/webhooks/deliveries.ts';
import { webhookSecretRoutes } from '../src/api/webhooks/secrets.ts';
import { type Clock, systemClock } from '../src/engine/clock.ts';
import type { Faults } from '../src/engine/faults.ts';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import { systemRandom } from '../src/engine/random.ts';
import { chatChannels, personalChannels } from '../src/resources/channels.ts';
import type { Resource } from '../src/resources/declaration/resource.ts';
import { records as productRecords } from '../src/resources/index.ts';
import type { Sql } from '../src/storage/database/database.ts';
import { newScheduleRulesApply } from '../src/storage/oncall/schedule-rules.ts';
import { activeTeams } from '../src/storage/people/teams.ts';
import { createIdempotentAnswers } from '../src/storage/records/idempotent-answers.ts';
import { createRecords } from '../src/storage/records/records.ts';
import { resolveIds } from '../src/storage/records/resolve-ids.ts';
import { asDeclared } from './as-declared.ts';
import { compute as testCompute } from './compute.ts';
import { noFaults } from './no-faults.ts';
import { buildSecrets } from './secrets.ts';

export type Reply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
};
type Sent = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type TestApi = AsyncDisposable & {
  readonly app: FastifyInstance;
  readonly unknownKeys: UnknownKeys;
  /** Sends as that caller: `send(caller, 'GET /services')`. */
  send(caller: Caller, request: string, sent?: Sent): Promise<Reply>;
};
export type TestApiParts = {
  readonly sql: Sql;
  readonly clock?: Clock;
  /** More routes than those of the records. */
  readonly routes?: readonly Route[];
  /** Absent: the records of the product. */
  readonly declared?: readonly Resource[];
  readonly requestBurst?: number;
  readonly compute?: Compute;
  readonly faults?: Faults;
  /** Absent: all channels are set up, and any address may be called. */
  readonly capabilities?: Omit<Capabilities, 'slugs'>;
};

const noMail = { send: async () => assert.fail('no mail server is set up') };

/** Those of connections are used all the same. */
const noChannels = new Map();

export const testSecrets = buildSecrets('a secret key that only tests are told');

const slugs = new Set(integrationTypes.map(({ slug }) => slug));

const allCapabilities: NonNullable<TestApiParts['capabilities']> = {
  channels: new Set([...personalChannels, ...chatChannels]),
  connected: new Set(),
  refusalOf: () => undefined,
};

export async function testApi(parts: TestApiParts): Promise<TestApi> {
  const {
    sql,
    clock = systemClock,
    routes = [],
    declared = productRecords,
    requestBurst,
    compute = testCompute,
    faults = noFaults,
    capabilities = allCapabilities,
  } = parts;
  const ids = createIds(clock);
  const shared = { sql, ids, secrets: testSecrets };
  const publicUrl = 'http://localhost:8080';
  const callers = new Map<string, Caller>();
  const unknownKeys = createUnknownKeys({ clock, digest: testSecrets.digest });
  const app = await createApi({
    routes: asDeclared([
      ...recordRoutes({
        records: createRecords({ ...shared, declared }),
        declared,
        teams: (scope) => activeTeams(sql, scope),
        scheduleCommitted: () => {},
        scheduleWarnings: (saved) => coverageWarnings({ sql, compute }, saved),
        channelWarnings: (organizationId, named) => unpostableWarnings(sql, organizationId, named),
        groupingWarnings: (of, by) => groupingWarnings(sql, of, by),
        contactWarnings: (organizationId, named) =>
          contactWarnings({ sql, channels: noChannels, publicUrl }, organizationId, named),
        integrationTypes,
        capabilitiesOf: async () => {
          const isUpgrading = !(await newScheduleRulesApply(sql));
          return { isUpgrading, ...capabilities, slugs };
        },
        faults,
        addresses: { hooksUrl: `${publicUrl}/hooks`, emailDomain: 'localhost' },
      }),
      ...peopleRoutes({
        ...shared,
        hashPassword,
        clock,
        channels: noChannels,
        publicUrl,
        callbackUrlOf: () => publicUrl,
        pushKey: '',
        hasMailServer: true,
        mails: createAccountMails({
          sql,
          clock,
          log: silentLog,
          digest: testSecrets.digest,
          publicUrl,
          email: noMail,
          isMailSet: async () => false,
          random: systemRandom,
        }),
      }),
      ...notificationRoutes(shared),
      ...webhookSecretRoutes(shared),
      ...webhookDeliveryRoutes({
        ...shared,
        publicUrl,
        committed: () => {},
        faults,
      }),
      ...keyRoutes({ ...shared, unknownKeys }),
      ...mappingRoutes({ ...shared, compute }),
      ...quotaRoutes({ ...shared, hardAlertLimit: false }),
      ...routes,
    ]),
    identify: async ({ headers }) => callers.get(String(headers['x-api-key'])) ?? null,
    log: silentLog,
    clock,
    ids,
    answers: createIdempotentAnswers(sql, testSecrets),
    compute,
    findIds: (caller, query) => resolveIds(sql, caller, { ...query, declared }),
    ready: async () => true,
    ...(requestBurst !== undefined && { requestBurst }),
  });
  return {
    app,
    unknownKeys,
    async send(caller, request, sent = {}) {
      callers.set(caller.id, caller);
      const [method, path] = request.split(' ');
      const answer = await app.inject({
        method: method as 'GET',
        url: `/api/v1${path}`,
        headers: {
          'x-api-key': caller.id,
          ...(sent.body !== undefined && { 'content-type': 'application/json' }),
          ...sent.headers,
        },
        ...(sent.body !== undefined && {
          payload: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body),
        }),
      });
      const isJson = String(answer.headers['content-type']).includes('json');
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : answer.body,
        headers: answer.headers,
      };
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}
