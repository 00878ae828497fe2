// A small ledger with some of everything, for those who look at what is stored.

import assert from 'node:assert/strict';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import { advanceDueCursors } from '../src/engine/shift-cursors.ts';
import { beginChains } from '../src/storage/ledger-audit/began.ts';
import type { Pager } from './stories/story.ts';

/** INC-1 is acknowledged, INC-2 is over, INC-3 pages; the shift at 09:30 has ended. */
export async function seedLedger(pager: Pager): Promise<void> {
  const { sql, secrets, clock, users } = pager;
  await beginChains(sql, secrets, clock.now());
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  for (const title of ['disk', 'cpu']) await pager.trigger(on, { title });
  await pager.at('09:06');
  await pager.does(1, { type: 'acknowledge' });
  await pager.does(2, { type: 'resolve' });
  const slow = await pager.integration({ steps: [pager.step('ada', 60), pager.step('lin')] });
  await pager.trigger(slow, { title: 'net' });
  const schedule = await pager.schedule([users['ada'] ?? '']);
  await pager.standIn(schedule, 'lin', { from: '09:30', to: '09:31' });
  for (const hour of ['09:07', '09:30', '09:31']) {
    await pager.at(hour);
    await advanceShifts(pager);
  }
}

async function advanceShifts({ servers: [server], clock }: Pager): Promise<void> {
  assert.ok(server);
  const options = { log: silentLog, recorded: () => {}, failed: assert.fail };
  await advanceDueCursors({ ledger: server.ledger, clock, ids: createIds(clock), ...options });
}
