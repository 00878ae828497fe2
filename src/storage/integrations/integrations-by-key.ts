// Integrations by what clients of other services send as their key: the token, its first characters,
// or a key that the integration has adopted.
import { keyForm } from '../../resources/integration-key.ts';
import type { Queries } from '../database/database.ts';
import { integrationName } from '../records/names.ts';
import {
  byToken,
  createIntegrationLookup,
  type IntegrationRow,
  type LookupParts,
} from './integrations-by-token.ts';

/** How exactly it is stored when an adopted key was used last. */
const useNotedEvery = Temporal.Duration.from({ minutes: 1 });

type Row = IntegrationRow & {
  /** Of an adopted key. */
  readonly key_id: string | null;
  readonly last_used_at: Temporal.Instant | null;
};

export function createIntegrationsByKey(parts: LookupParts) {
  const { sql, log } = parts;
  const find = createIntegrationLookup(parts, async (digest, now) => {
    const row = await readByKey(sql, digest, now);
    if (row?.key_id) await recordUse(row, now);
    return row;
  });

  /** At most once in a while, however many servers try; that it cannot be stored stops no event. */
  async function recordUse({ organization_id, key_id, last_used_at }: Row, now: Temporal.Instant) {
    const before = now.subtract(useNotedEvery);
    if (last_used_at !== null && Temporal.Instant.compare(last_used_at, before) > 0) return;
    const update = sql`
      update integration_keys set last_used_at = ${now}
      where organization_id = ${organization_id} and id = ${key_id}
        and (last_used_at is null or last_used_at <= ${before})`;
    await update.catch((error: unknown) =>
      log.warn({ err: error, key_id }, 'the last use of an adopted key could not be stored'),
    );
  }

  return async (key: string) => (keyForm.test(key) ? find(key) : null);
}

/** What a key of this digest stands for; an archived integration too. */
export async function readByKey(sql: Queries, digest: Buffer, now: Temporal.Instant) {
  const [row] = await sql<Row[]>`
    select *, null as key_id, null::timestamptz as last_used_at
    from (${byToken(sql, digest, now)}) by_token
    union all
    select *, null, null from (${byShortToken(sql, digest, now)}) by_short_token
    union all
    select i.organization_id, i.id, i.slug, ${integrationName(sql, 'i')}, i.mapping,
      i.mapping_revision, null, k.id, k.last_used_at
    from integration_keys k
    join integrations i on i.organization_id = k.organization_id and i.id = k.integration_id
    where k.digest = ${digest}`;
  return row;
}

const byShortToken = (sql: Queries, digest: Buffer, now: Temporal.Instant) => sql`
  select i.organization_id, i.id, i.slug, ${integrationName(sql, 'i')} as name, i.mapping,
    i.mapping_revision, null::timestamptz as expires_at
  from integration_short_tokens s join integrations i on i.token_digest = s.token_digest
  where s.digest = ${digest}
  union all
  select i.organization_id, i.id, i.slug, ${integrationName(sql, 'i')}, i.mapping,
    i.mapping_revision, i.previous_token_expires_at
  from integration_short_tokens s join integrations i on i.previous_token_digest = s.token_digest
  where s.digest = ${digest} and i.previous_token_expires_at > ${now}`;
