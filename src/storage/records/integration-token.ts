// The token of an integration: whoever has it can send events. It is kept sealed, and found by its
// digest; of the one before it, only the digest is kept.
import { randomBytes } from 'node:crypto';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../secrets.ts';
import type { RecordHooks, RecordWrite } from './record-hooks.ts';
import { type StoredRecord, timeText } from './rows.ts';

type Owner = { readonly organization_id: string; readonly id: string };

const tokenContext = ({ organization_id, id }: Owner) =>
  rowContext('integrations.token_encrypted', organization_id, id);

export const sealToken = (token: string, of: Owner, secrets: Secrets): string =>
  secrets.seal(token, tokenContext(of));

export const integrationHooks: RecordHooks = {
  columns: {
    names: ['token_encrypted', 'previous_token_expires_at'],
    read(row, secrets) {
      const of = { organization_id: row['organization_id'], id: row['id'] };
      const expiresAt = row['previous_token_expires_at'];
      return {
        token: secrets.open(row['token_encrypted'], tokenContext(of)),
        previous_token_expires_at: expiresAt && timeText(expiresAt),
      };
    },
  },
  prepare: newToken,
};

function newToken({ act, secrets }: RecordWrite, { id }: { readonly id: string }) {
  const token = randomBytes(20).toString('hex');
  return {
    token_encrypted: sealToken(token, { organization_id: act.organizationId, id }, secrets),
    token_digest: secrets.digest(token),
  };
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
