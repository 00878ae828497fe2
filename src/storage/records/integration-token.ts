// The token of an integration: whoever has it can send events. It is kept sealed, and found by its
// digest; of the one before it, only the digest is kept.
import { randomBytes } from 'node:crypto';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';
import type { RecordHooks, RecordWrite } from './record-hooks.ts';
import { type StoredRecord, timeText } from './rows.ts';
import { insertShortTokens } from './short-tokens.ts';

type Owner = { readonly organization_id: string; readonly id: string };

const tokenContext = ({ organization_id, id }: Owner) =>
  rowContext('integrations.token_encrypted', organization_id, id);

export const sealToken = (token: string, of: Owner, secrets: Secrets): string =>
  secrets.seal(token, tokenContext(of));

export const openToken = (sealed: string, of: Owner, secrets: Secrets): string =>
  secrets.open(sealed, tokenContext(of));

export const integrationHooks: RecordHooks = {
  columns: {
    names: ['token_encrypted', 'previous_token_expires_at'],
    read(row, secrets) {
      const of = { organization_id: row['organization_id'], id: row['id'] };
      const expiresAt = row['previous_token_expires_at'];
      return {
        token: openToken(row['token_encrypted'], of, secrets),
        previous_token_expires_at: expiresAt && timeText(expiresAt),
      };
    },
  },
  prepare: newToken,
  created: storeShortToken,
};

function newToken({ act, secrets }: RecordWrite, { id }: { readonly id: string }) {
  const token = randomBytes(20).toString('hex');
  return {
    token_encrypted: sealToken(token, { organization_id: act.organizationId, id }, secrets),
    token_digest: secrets.digest(token),
  };
}

/** Of a new token. Those of tokens that are accepted no longer go. */
export async function storeShortToken(
  { tx, act, secrets }: RecordWrite,
  { id, token = '' }: StoredRecord,
): Promise<void> {
  const { organizationId } = act;
  await tx`
    delete from integration_short_tokens s using integrations i
    where s.organization_id = ${organizationId} and s.integration_id = ${id}
      and i.organization_id = s.organization_id and i.id = s.integration_id
      and s.token_digest <> i.token_digest
      and s.token_digest is distinct from i.previous_token_digest`;
  await insertShortTokens(tx, secrets, [{ organizationId, integrationId: id, token }]);
}

/** The columns of the integration with another token. One that was previous already ends. */
export function rotatedToken(
  write: RecordWrite,
  { id, token = '' }: StoredRecord,
  previousExpiresAt: Temporal.Instant,
) {
  const isAccepted = Temporal.Instant.compare(previousExpiresAt, write.act.now) > 0;
  return {
    ...newToken(write, { id }),
    previous_token_digest: isAccepted ? write.secrets.digest(token) : null,
    previous_token_expires_at: isAccepted ? previousExpiresAt : null,
  };
}
