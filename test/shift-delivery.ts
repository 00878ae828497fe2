// An organisation on PostgreSQL whose notices of shifts are delivered, and a clock that is told.

import { randomBytes } from 'node:crypto';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import type { Ledger } from '../src/engine/ledger.ts';
import type { ShiftIntent } from '../src/shifts/notice.ts';
import { type Sql, transact } from '../src/storage/database/database.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { insertShiftNotices } from '../src/storage/outbox/shift-notices.ts';
import { rowContext } from '../src/storage/sealed/sealed-columns.ts';
import type { Secrets } from '../src/storage/sealed/secrets.ts';
import { secretPlace } from '../src/storage/webhooks/secrets.ts';
import { cacheFor } from './configuration.ts';
import { type TestServer, testDatabase } from './database.ts';
import { noon } from './incident-life.ts';
import { noFaults as faults } from './no-faults.ts';
import { buildSecrets } from './secrets.ts';
import { type OrganizationFields, seedOrganization, type World } from './world.ts';

const ids = createIds(systemClock);

export type Delivery = AsyncDisposable & {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly world: World;
  insert(intents: readonly ShiftIntent[], at?: Temporal.Instant): Promise<void>;
  /** An outbound webhook with these secrets; answers its id. */
  webhook(fields: WebhookFields): Promise<string>;
};

type WebhookFields = {
  readonly url: string;
  readonly name?: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly secrets?: readonly string[];
};

export async function startShiftDelivery(
  server: TestServer,
  fields: OrganizationFields = {},
): Promise<Delivery> {
  const database = await testDatabase({ server, maxConnections: 6 });
  const { sql } = database;
  const world = await seedOrganization(sql, fields);
  const { organizationId: organization_id } = world;
  const secrets = buildSecrets(randomBytes(32).toString('hex'));
  let webhooks = 0;
  return {
    sql,
    secrets,
    world,
    ledger: createLedger({
      sql,
      ids,
      secrets,
      configurations: cacheFor('email', 'webhook'),
      faults,
    }),
    insert: (intents, at = noon) =>
      transact(sql, (tx) => {
        const notices = intents.map((intent) => ({ organization_id, intent }));
        return insertShiftNotices({ sql: tx, ids, secrets }, notices, at);
      }),
    async webhook({ url, name = 'Hook', method = 'POST', secrets: signing = [] }) {
      const id = ids.next();
      webhooks += 1;
      await sql`insert into outbound_webhooks ${sql({
        organization_id,
        id,
        counter: webhooks,
        version: 1,
        team_id: Object.values(world.teams)[0],
        name,
        url: secrets.seal(url, rowContext('outbound_webhooks.url', organization_id, id)),
        method,
        content_type: 'url-encoded',
        headers: sql.typed({ 'x-never': 'sent' }, 114),
        created_at: noon,
        updated_at: noon,
      })}`;
      for (const secret of signing) {
        const own = ids.next();
        await sql`insert into webhook_secrets ${sql({
          organization_id,
          id: own,
          outbound_webhook_id: id,
          created_at: noon,
          secret_encrypted: secrets.seal(secret, secretPlace(organization_id, own)),
        })}`;
      }
      return id;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
