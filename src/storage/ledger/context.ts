import type { Faults } from '../../engine/faults.ts';
import type { Ids } from '../../engine/ids.ts';
import type { ConfigurationCache } from '../configuration/cache.ts';
import type { Sql, Transaction } from '../database/database.ts';
import type { ChangedIncident } from '../organizations/hints.ts';
import type { Secrets } from '../sealed/secrets.ts';

/** What the functions of the ledger and the outbox take: a transaction and what does not change. */
export type LedgerContext = {
  readonly sql: Transaction;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly configurations: ConfigurationCache;
  /** Records rows that cannot be read; the other rows go on. */
  readonly faults: Faults;
  /** Other than `CLAIM_WINDOW`, where a claim has to find all that is due. */
  readonly claimWindow?: number;
  /** Takes the incidents that the transaction changes, by id. */
  readonly changed?: Map<string, ChangedIncident>;
};

export type LedgerParts = Omit<LedgerContext, 'sql' | 'changed'> & { readonly sql: Sql };
