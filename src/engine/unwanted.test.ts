import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenShiftIntent } from '../../test/given-shift-intent.ts';
import { Life, later, noon } from '../../test/incident-life.ts';
import type { ClaimedIncidentNotice, ClaimedShiftNotice } from './ledger.ts';
import { unwanted } from './unwanted.ts';

const claimed = {
  ...{ organization_id: 'org', key: 'key', channel: 'email', receiver: 'email ada' },
  ...{ address: 'ada@example.test', recipient: 'Ada', mention: null, why: 'Step 1' },
  ...{ user_id: 'ada', attempt: 1, created_at: noon, organizationName: 'Example' },
};
const page: ClaimedIncidentNotice = {
  ...{ ...claimed, about: 'incident', kind: 'page', cycle: 0 },
  ...{ incident: new Life().incident, serviceName: 'Shop' },
};
const shift = (
  kind: ClaimedShiftNotice['kind'],
  webhook: ClaimedShiftNotice['webhook'] = null,
): ClaimedShiftNotice => {
  const { story } = givenShiftIntent(kind, { shiftEnd: later(60) });
  return { ...claimed, about: 'shift', kind, story, webhook };
};
const hook = { method: 'POST', secrets: [], archived: false } as const;
const limit = 'the monthly alert limit is reached';

type Row = {
  readonly says: string;
  readonly notice: ClaimedIncidentNotice | ClaimedShiftNotice;
  readonly at?: number;
  readonly limitReached?: boolean;
  readonly hardAlertLimit?: boolean;
  readonly because: string | null;
};
const rows: readonly Row[] = [
  {
    says: 'a start goes out while its shift runs',
    notice: shift('shift_start'),
    at: 59,
    because: null,
  },
  {
    says: 'a start whose shift is over does not',
    ...{ notice: shift('shift_start'), at: 60, because: 'the shift is over' },
  },
  { says: 'an end goes out after it', notice: shift('shift_end'), at: 60, because: null },
  { says: 'a change goes out at any time', notice: shift('shift_change'), at: 60, because: null },
  { says: 'an active webhook is called', notice: shift('shift_end', hook), because: null },
  {
    says: 'an archived one is not',
    notice: shift('shift_end', { ...hook, archived: true }),
    because: 'the webhook is archived',
  },
  {
    says: 'beyond the limit nobody is told of shifts',
    ...{ notice: shift('shift_end'), limitReached: true, because: limit },
  },
  { says: 'but pages go on', notice: page, limitReached: true, because: null },
  {
    says: 'unless the operator stops them too',
    ...{ notice: page, limitReached: true, hardAlertLimit: true, because: limit },
  },
  {
    says: 'within the limit that stops nothing',
    notice: page,
    hardAlertLimit: true,
    because: null,
  },
];
for (const { says, notice, at = 0, limitReached = false, hardAlertLimit = false, because } of rows)
  test(says, () => {
    const found = unwanted(notice, { now: later(at), limitReached, hardAlertLimit });
    assert.equal(found && 'reason' in found ? found.reason : null, because);
  });

test('a page that the limit stops is on the timeline, a notice of a shift is not', () => {
  const conditions = { now: noon, limitReached: true, hardAlertLimit: true };
  const [stopped, untold] = [page, shift('shift_end')].map((one) => unwanted(one, conditions));
  assert.ok(stopped && 'entry' in stopped && untold && 'entry' in untold);
  assert.equal(stopped.entry?.says, `The page to Ada by email was not sent: ${limit}`);
  assert.equal(untold.entry, null);
});
