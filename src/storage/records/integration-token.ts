// The token of an integration: whoever has it can send events. It is kept sealed, and found by its
// digest.
import { randomBytes } from 'node:crypto';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../secrets.ts';
import type { RecordHooks } from './record-hooks.ts';

type Owner = { readonly organization_id: string; readonly id: string };

const tokenContext = ({ organization_id, id }: Owner) =>
  rowContext('integrations.token_encrypted', organization_id, id);

export const sealToken = (token: string, of: Owner, secrets: Secrets): string =>
  secrets.seal(token, tokenContext(of));

export const integrationHooks: RecordHooks = {
  columns: {
    names: ['token_encrypted'],
    read(row, secrets) {
      const of = { organization_id: row['organization_id'], id: row['id'] };
      return { token: secrets.open(row['token_encrypted'], tokenContext(of)) };
    },
  },
  prepare({ act, secrets }, { id }) {
    const token = randomBytes(20).toString('hex');
    return {
      token_encrypted: sealToken(token, { organization_id: act.organizationId, id }, secrets),
      token_digest: secrets.digest(token),
    };
  },
};
