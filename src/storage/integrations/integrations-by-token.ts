import type { Mapping } from '../../alerts/reading/notation.ts';
import type { Log } from '../../engine/log.ts';
import { accessLimits } from '../../limits/access.ts';
import { memoryLimits } from '../../limits/memory.ts';
import type { Queries } from '../database/database.ts';
import { asUnavailable } from '../database/database.ts';
import { integrationName } from '../records/names.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { type MappingRow, mappingOf } from './mappings.ts';

type TokenIntegration = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly slug: string;
  readonly integrationName: string;
  readonly mapping: Mapping | null;
};

/** Of a token that was rotated, and is accepted for some time more. */
type Expiry = Temporal.Instant | null;

type Cached = {
  readonly until: number;
  readonly integration: TokenIntegration;
  /** When the log tells of its use again. */
  readonly warningAt: number;
};

export type LookupParts = {
  readonly sql: Queries;
  readonly secrets: Secrets;
  readonly nowMs: () => number;
  readonly log: Log;
};

export type IntegrationRow = {
  readonly organization_id: string;
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly expires_at: Expiry;
} & MappingRow;

/** Reads what a secret of this digest stands for now. */
type ReadIntegration = (
  digest: Buffer,
  now: Temporal.Instant,
) => Promise<IntegrationRow | undefined>;

/** Integrations by their token. */
export const createIntegrationsByToken = (parts: LookupParts) =>
  createIntegrationLookup(parts, async (digest, now) => {
    const [row] = await parts.sql<IntegrationRow[]>`${byToken(parts.sql, digest, now)}`;
    return row;
  });

/** Two reads, each by its index: with "or", a plan made while the table was small reads all of it. */
export const byToken = (sql: Queries, digest: Buffer, now: Temporal.Instant) => sql`
  select organization_id, id, slug, ${integrationName(sql)} as name, mapping, mapping_revision,
    null::timestamptz as expires_at
  from integrations where token_digest = ${digest}
  union all
  select organization_id, id, slug, ${integrationName(sql)}, mapping, mapping_revision,
    previous_token_expires_at
  from integrations
  where previous_token_digest = ${digest} and previous_token_expires_at > ${now}`;

/**
 * A secret hardly ever changes its integration, so a short memory is safe: whether the integration
 * is archived or disabled is read again when the event is decided.
 */
export function createIntegrationLookup(
  { secrets, nowMs, log }: LookupParts,
  read: ReadIntegration,
) {
  const cache = new Map<string, Cached>();

  function warningAt(secret: string, integration: TokenIntegration, expiresAt: Expiry): number {
    const due = cache.get(secret)?.warningAt ?? 0;
    if (expiresAt === null || due > nowMs()) return due;
    const { integrationId: integration_id, integrationName: name } = integration;
    const previous_token_expires_at = expiresAt.toString();
    log.warn(
      { integration_id, name, previous_token_expires_at },
      'events still come with the previous token of an integration',
    );
    return nowMs() + accessLimits.previousTokenWarningMinutes * 60_000;
  }

  return async (secret: string): Promise<TokenIntegration | null> => {
    const cached = cache.get(secret);
    if (cached && cached.until > nowMs()) return cached.integration;
    const now = Temporal.Instant.fromEpochMilliseconds(nowMs());
    const row = await read(secrets.digest(secret), now).catch((error: unknown) => {
      throw asUnavailable(error);
    });
    if (row === undefined) return null;
    const { expires_at: expiresAt } = row;
    const integration = integrationOf(row);
    const until = Math.min(
      nowMs() + memoryLimits.tokensTime,
      expiresAt?.epochMilliseconds ?? Infinity,
    );
    const again = warningAt(secret, integration, expiresAt);
    if (cache.size >= memoryLimits.tokens) cache.clear();
    cache.set(secret, { until, integration, warningAt: again });
    return integration;
  };
}

const integrationOf = (row: IntegrationRow): TokenIntegration => ({
  organizationId: row.organization_id,
  integrationId: row.id,
  slug: row.slug,
  integrationName: row.name,
  mapping: mappingOf(row),
});
