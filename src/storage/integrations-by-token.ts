import type { Log } from '../engine/log.ts';
import { accessLimits } from '../limits/access.ts';
import { memoryLimits } from '../limits/memory.ts';
import type { Queries } from './database.ts';
import { asUnavailable } from './database.ts';
import { integrationName } from './names.ts';
import type { Secrets } from './secrets.ts';

type TokenIntegration = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly slug: string;
  readonly integrationName: string;
};

/** Of a token that was rotated, and is accepted for some time more. */
type Expiry = Temporal.Instant | null;

type Cached = {
  readonly until: number;
  readonly integration: TokenIntegration;
  /** When the log tells of its use again. */
  readonly warningAt: number;
};

type Parts = {
  readonly sql: Queries;
  readonly secrets: Secrets;
  readonly nowMs: () => number;
  readonly log: Log;
};

/**
 * Integrations by their token. A token never changes its integration, so a short memory is safe:
 * whether the integration is archived or disabled is read again when the event is decided.
 */
export function createIntegrationsByToken({ sql, secrets, nowMs, log }: Parts) {
  const cache = new Map<string, Cached>();

  function warningAt(token: string, integration: TokenIntegration, expiresAt: Expiry): number {
    const due = cache.get(token)?.warningAt ?? 0;
    if (expiresAt === null || due > nowMs()) return due;
    const { integrationId: integration_id, integrationName: name } = integration;
    const previous_token_expires_at = expiresAt.toString();
    log.warn(
      { integration_id, name, previous_token_expires_at },
      'events still come with the previous token of an integration',
    );
    return nowMs() + accessLimits.previousTokenWarningMinutes * 60_000;
  }

  return async (token: string): Promise<TokenIntegration | null> => {
    const cached = cache.get(token);
    if (cached && cached.until > nowMs()) return cached.integration;
    const read = await readIntegration(sql, secrets.digest(token), nowMs());
    if (!read) return null;
    const { integration, expiresAt } = read;
    const until = Math.min(
      nowMs() + memoryLimits.tokensTime,
      expiresAt?.epochMilliseconds ?? Infinity,
    );
    const again = warningAt(token, integration, expiresAt);
    if (cache.size >= memoryLimits.tokens) cache.clear();
    cache.set(token, { until, integration, warningAt: again });
    return integration;
  };
}

type Row = {
  organization_id: string;
  id: string;
  slug: string;
  name: string;
  expires_at: Expiry;
};

async function readIntegration(sql: Queries, digest: Buffer, nowMs: number) {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  try {
    // Two reads, each by its index: with "or", a plan made while the table was small reads all of it.
    const [row] = await sql<Row[]>`
      select organization_id, id, slug, ${integrationName(sql)} as name,
        null::timestamptz as expires_at
      from integrations where token_digest = ${digest}
      union all
      select organization_id, id, slug, ${integrationName(sql)}, previous_token_expires_at
      from integrations
      where previous_token_digest = ${digest} and previous_token_expires_at > ${now}`;
    if (!row) return null;
    const integration: TokenIntegration = {
      organizationId: row.organization_id,
      integrationId: row.id,
      slug: row.slug,
      integrationName: row.name,
    };
    return { integration, expiresAt: row.expires_at };
  } catch (error) {
    throw asUnavailable(error);
  }
}
