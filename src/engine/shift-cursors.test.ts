import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildRota } from '../../test/configuration.ts';
import { later, noon } from '../../test/incident-life.ts';
import { noFaults } from '../../test/no-faults.ts';
import { daily, saved } from '../../test/schedule-history.ts';
import { FragileLedger } from '../../test/simulation/fragile-ledger.ts';
import { editSchedule } from '../../test/simulation/shift-cursors.ts';
import type { ShiftEvent } from '../shifts/advance.ts';
import type { Faults } from './faults.ts';
import { createIds } from './ids.ts';
import { silentLog } from './log.ts';
import { advanceDueCursors } from './shift-cursors.ts';

const clock = (minutes: number) => ({ now: () => later(minutes) });
const ids = createIds(clock(0));
const day = 24 * 60;

/** Schedules by their id, each in a time zone. */
function ledgerWith(
  zones: Readonly<Record<string, string>>,
  faults: Faults = noFaults,
): FragileLedger {
  const nobody = { revisions: [], overrides: [] };
  const schedules = Object.keys(zones).map((id) => buildRota(id, nobody));
  const ledger = new FragileLedger(buildConfiguration({ schedules }), { faults });
  for (const [id, timezone] of Object.entries(zones)) declare(ledger, id, timezone);
  return ledger;
}

function declare(ledger: FragileLedger, id: string, timezone: string): void {
  const schedule = { organization_id: 'org', id, name: id, timezone };
  editSchedule(ledger, { schedule, now: noon }, (history, edit) => {
    // As one that was declared while the zone was known.
    const [revision] = saved(history, edit, { layers: [daily('ada', 'lin')] }).revisions;
    return { ...history, revisions: revision ? [{ ...revision, timezone }] : [] };
  });
}

const silent = { log: silentLog, recorded: () => {}, failed: assert.fail };
const running = (ledger: FragileLedger, id: string) => ledger.shiftCursors.get(id)?.cursor.running;

test('a fault in one due schedule stops neither the others nor, for long, that one', async () => {
  const reported: string[] = [];
  const zones = { broken: 'Mars/Base', sound: 'Etc/UTC' };
  const ledger = ledgerWith(zones, ({ of, id }) => reported.push(`${of} ${id}`));
  const { recorded, log } = silent;
  let failures = 0;
  const failed = () => {
    failures += 1;
  };
  assert.equal(await advanceDueCursors({ ledger, ids, log, failed, recorded, clock: clock(0) }), 2);
  assert.equal(running(ledger, 'sound')?.user_id, 'ada');
  assert.equal(running(ledger, 'broken'), null);
  assert.deepEqual(ledger.shiftCursors.get('broken')?.wakeAt, later(10));
  assert.deepEqual([failures, reported], [1, ['schedule broken']]);

  declare(ledger, 'broken', 'Etc/UTC');
  await advanceDueCursors({ ledger, ids, log, failed, recorded, clock: clock(10) });
  assert.deepEqual(running(ledger, 'broken')?.start, noon);
});

test('each event is told with how late it was recorded, and a long absence is warned of', async () => {
  const ledger = ledgerWith({ rota: 'Etc/UTC' });
  const recorded: [ShiftEvent['type'], number][] = [];
  const warnings: object[] = [];
  const options = {
    ledger,
    ids,
    failed: assert.fail,
    log: { ...silentLog, warn: (fields: object) => warnings.push(fields) },
    recorded: ({ type }: ShiftEvent, seconds: number) => recorded.push([type, seconds]),
  };
  await advanceDueCursors({ ...options, clock: clock(0) });
  assert.deepEqual([recorded.splice(0), warnings], [[['start', 0]], []]);
  await advanceDueCursors({ ...options, clock: clock(day) });
  assert.deepEqual(recorded, [
    ['end', 12 * 3_600],
    ['start', 12 * 3_600],
  ]);
  assert.deepEqual(warnings, [{ seconds: 12 * 3_600, announced: 2 }]);
});

test('no schedule due is no work', async () => {
  assert.equal(
    await advanceDueCursors({ ...silent, ledger: ledgerWith({}), ids, clock: clock(0) }),
    0,
  );
});
