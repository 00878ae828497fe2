// The first characters of integrations' tokens, by which clients find them that take no longer keys.
import { accessLimits } from '../../limits/access.ts';
import type { Queries } from '../database/database.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { json } from './rows.ts';

export type TokenOf = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly token: string;
};

/** Those that are there stay. */
export async function insertShortTokens(
  sql: Queries,
  secrets: Pick<Secrets, 'digest'>,
  tokens: readonly TokenOf[],
): Promise<void> {
  const rows = tokens.map(({ organizationId, integrationId, token }) => ({
    organization_id: organizationId,
    integration_id: integrationId,
    digest: secrets.digest(token.slice(0, accessLimits.shortTokenLength)).toString('hex'),
    token_digest: secrets.digest(token).toString('hex'),
  }));
  await sql`
    insert into integration_short_tokens (organization_id, integration_id, digest, token_digest)
    select organization_id, integration_id, decode(digest, 'hex'), decode(token_digest, 'hex')
    from json_to_recordset(${json(sql, rows)})
      as r (organization_id text, integration_id text, digest text, token_digest text)
    on conflict do nothing`;
}
