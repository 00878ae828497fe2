import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildRota } from '../../test/configuration.ts';
import { dailyTurns } from '../../test/daily-turns.ts';
import { Life, later, noon, withSteps } from '../../test/incident-life.ts';
import { noFaults } from '../../test/no-faults.ts';
import { FragileLedger } from '../../test/simulation/fragile-ledger.ts';
import type { Incident } from '../incidents/incident.ts';
import { awaitingNothing } from '../incidents/page-results.ts';
import type { Fault, Faults } from './faults.ts';
import { runDueIncidents } from './incident-timers.ts';

const rota = withSteps([
  { targets: [{ via: 'email', user_id: 'ada' }], escalate_after_minutes: 5 },
  { targets: [{ via: 'email', oncall_schedule_id: 'rota' }] },
]);

/** A schedule that nobody can be found in: its time zone does not exist. */
function configurationWith(timezone: string) {
  const schedule = dailyTurns(['lin'], { from: noon, timezone, handoff: '09:00' });
  return buildConfiguration({ schedules: [buildRota('rota', schedule)] });
}

async function ledgerWith(...opened: readonly Incident[]): Promise<FragileLedger> {
  const ledger = new FragileLedger(configurationWith('Mars/Base'));
  const changes = { opened, changed: [], entries: [], intents: [], allClear: [] };
  await ledger.transact((tx) => tx.save(changes, noon));
  return ledger;
}

const configuration = configurationWith('Etc/UTC');
/** Pages of their first steps were taken. */
const [broken, sound] = [
  { ...awaitingNothing(new Life({ integration: rota, configuration }).incident), id: 'broken' },
  { ...awaitingNothing(new Life().incident), id: 'sound' },
];

const pagedBy = (ledger: FragileLedger) =>
  [...ledger.outbox.values()].map(({ intent }) => {
    const about = 'incident_id' in intent ? intent.incident_id : '';
    return intent.kind === 'page' ? about : `${intent.kind} ${about}`;
  });

test('a fault in one due incident stops neither the others nor, for long, that one', async () => {
  const ledger = await ledgerWith(broken, sound);
  const reported: Fault[] = [];
  const faults: Faults = (fault) => reported.push(fault);
  assert.equal(await runDueIncidents(ledger, { now: () => later(5) }, faults), 2);
  assert.deepEqual(pagedBy(ledger), ['nobody_paged broken', 'sound']);
  assert.deepEqual(
    reported.map(({ of, id }) => [of, id]),
    [['incident', 'broken']],
  );
  assert.deepEqual(ledger.incidents.get('broken')?.escalation.stepAt, later(6));
  const entries = [...ledger.timeline.values()].filter((one) => one.incident_id === 'broken');
  assert.deepEqual(
    entries.map((one) => one.type),
    ['undecided', 'nobody_paged'],
  );

  ledger.declare(configurationWith('Etc/UTC'));
  await runDueIncidents(ledger, { now: () => later(6) }, faults);
  assert.deepEqual(pagedBy(ledger), ['nobody_paged broken', 'sound', 'broken']);
});

test('nothing due is no work', async () => {
  assert.equal(await runDueIncidents(await ledgerWith(sound), { now: () => noon }, noFaults), 0);
});
