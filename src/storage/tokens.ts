import { memoryLimits } from '../limits/memory.ts';
import type { Sql } from './database.ts';
import { asUnavailable } from './database.ts';
import type { Secrets } from './secrets.ts';

type Recognised = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly slug: string;
  readonly integrationName: string;
};

/**
 * Integrations by their token. A token never changes its integration, so a short memory is safe:
 * whether the integration is archived or disabled is read again when the event is decided.
 */
export function createTokens(sql: Sql, secrets: Secrets, nowMs: () => number) {
  const kept = new Map<string, { readonly until: number; readonly found: Recognised }>();
  return async (token: string): Promise<Recognised | null> => {
    const remembered = kept.get(token);
    if (remembered && remembered.until > nowMs()) return remembered.found;
    const found = await lookUp(sql, secrets.digest(token));
    if (!found) return null;
    if (kept.size >= memoryLimits.tokens) kept.clear();
    kept.set(token, { until: nowMs() + memoryLimits.tokensTime, found });
    return found;
  };
}

async function lookUp(sql: Sql, digest: Buffer): Promise<Recognised | null> {
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
