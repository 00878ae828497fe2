// What the engine announces of shifts in a test of the API.
import assert from 'node:assert/strict';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import { advanceDueCursors } from '../src/engine/shift-cursors.ts';
import { createLedger } from '../src/storage/ledger/ledger.ts';
import { testSecrets as secrets } from './api.ts';
import { cacheFor } from './configuration.ts';
import { noFaults as faults } from './no-faults.ts';
import type { startOnCallApi } from './on-call-api.ts';

type Api = Awaited<ReturnType<typeof startOnCallApi>>;
export type Notice = {
  readonly kind: string;
  readonly channel: string;
  readonly user_id?: string;
  readonly reason?: string;
};

export const textOf = ({ kind, channel, user_id = '' }: Notice) => `${kind} ${channel} ${user_id}`;

/** Runs the engine; answers what it announced. */
export function announcing({ sql, clock }: Pick<Api, 'sql' | 'clock'>) {
  const ids = createIds(clock);
  const configurations = cacheFor('email');
  const ledger = createLedger({ sql, ids, secrets, configurations, faults });
  const options = {
    ledger,
    clock,
    ids,
    log: silentLog,
    recorded: () => {},
    failed: () => assert.fail('a schedule cannot be advanced'),
  };
  const seen = new Set<string>();
  return async () => {
    while ((await advanceDueCursors(options)) > 0);
    const rows = await sql<(Notice & { readonly id: string })[]>`
      select key as id, kind, channel, user_id from outbox where state = 'pending'`;
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh.map(textOf);
  };
}
