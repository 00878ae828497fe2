// Integrations from before their tokens' first characters were stored, or of a server of the release
// before that shares the database: their tokens are sealed, so no migration can do it.
import type { Log } from '../../engine/log.ts';
import type { Sql } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { openToken } from './integration-token.ts';
import { insertShortTokens, type TokenOf } from './short-tokens.ts';

const atOnce = 1_000;

type Parts = { readonly sql: Sql; readonly secrets: Secrets; readonly log: Log };
type Row = {
  readonly organization_id: string;
  readonly id: string;
  readonly token_encrypted: string;
};

/** Each call does some of what is missing, and answers how many it has looked at. */
export function createShortTokenCompletion({ sql, secrets, log }: Parts): () => Promise<number> {
  let after = { organization_id: '', id: '' };

  function opened(row: Row): TokenOf[] {
    const { organization_id: organizationId, id: integrationId } = row;
    try {
      const token = openToken(row.token_encrypted, row, secrets);
      return [{ organizationId, integrationId, token }];
    } catch (error) {
      log.warn({ err: error, integration: row.id }, 'the token of an integration cannot be opened');
      return [];
    }
  }

  return async () => {
    const rows = await sql<Row[]>`
      select organization_id, id, token_encrypted from integrations i
      where (organization_id, id) > (${after.organization_id}, ${after.id})
        and organization_id <> ${canaryId}
        and not exists (
          select from integration_short_tokens s where s.token_digest = i.token_digest)
      order by organization_id, id limit ${atOnce}`;
    await insertShortTokens(sql, secrets, rows.flatMap(opened));
    after = rows.at(-1) ?? { organization_id: '', id: '' };
    return rows.length;
  };
}
