import { memoryLimits } from '../limits/memory.ts';
import type { Sql } from './database.ts';
import { asUnavailable } from './database.ts';
import type { Secrets } from './secrets.ts';

type TokenIntegration = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly slug: string;
  readonly integrationName: string;
};

/**
 * Integrations by their token. A token never changes its integration, so a short memory is safe:
 * whether the integration is archived or disabled is read again when the event is decided.
 */
export function createIntegrationsByToken(sql: Sql, secrets: Secrets, nowMs: () => number) {
  const cache = new Map<
    string,
    { readonly until: number; readonly integration: TokenIntegration }
  >();
  return async (token: string): Promise<TokenIntegration | null> => {
    const cached = cache.get(token);
    if (cached && cached.until > nowMs()) return cached.integration;
    const integration = await readIntegration(sql, secrets.digest(token));
    if (!integration) return null;
    if (cache.size >= memoryLimits.tokens) cache.clear();
    cache.set(token, { until: nowMs() + memoryLimits.tokensTime, integration });
    return integration;
  };
}

async function readIntegration(sql: Sql, digest: Buffer): Promise<TokenIntegration | null> {
  try {
    const [row] = await sql<
      { organization_id: string; id: string; slug: string; name: string | null; counter: number }[]
    >`
      select organization_id, id, slug, name, counter from integrations
      where token_digest = ${digest}`;
    if (!row) return null;
    return {
      organizationId: row.organization_id,
      integrationId: row.id,
      slug: row.slug,
      integrationName: row.name ?? `${row.slug} integration ${row.counter}`,
    };
  } catch (error) {
    throw asUnavailable(error);
  }
}
