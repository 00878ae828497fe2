import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIds } from '../../src/engine/ids.ts';
import { split } from '../../src/engine/split.ts';
import { alertIdOf } from '../../src/incidents/incident-alerts.ts';
import { listAlerts } from '../../src/storage/incidents/alerts.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { findSentAlert } from '../../src/storage/incidents/sent-alerts.ts';
import { type Pager, story } from './story.ts';

const groupKey = '{}:{alertname="DiskFull"}';

type Sent = { readonly name: string; readonly ended?: true; readonly severity?: string };

/** As Alertmanager sends it. */
const message = (alerts: readonly Sent[], key = groupKey) => ({
  version: '4',
  groupKey: key,
  alerts: alerts.map(({ name, ended, severity = 'warning' }) => ({
    status: ended ? 'resolved' : 'firing',
    labels: { alertname: 'DiskFull', instance: name, severity },
    annotations: { summary: `Disk full on ${name}` },
    fingerprint: name,
  })),
});

const names = (from: number, to: number, fields: Partial<Sent> = {}): readonly Sent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ ...fields, name: `db-${from + index}` }));

const grouped = (pager: Pager) =>
  pager.integration({
    slug: 'alertmanager',
    steps: [pager.step('ada', 10), pager.step('lin')],
    grouping: { by: ['group'] },
  });

async function alertsOf(pager: Pager, number: number) {
  const scope = { organizationId: pager.scope.organizationId, teamIds: null };
  const incident = await findIncident(pager.sql, scope, { counter: number });
  assert.ok(incident);
  const rows = await listAlerts(pager.sql, incident, { after: 0, limit: 1_001 });
  return {
    counts: [incident.alerts_firing, incident.alerts_total],
    rows: rows.map(({ title, state, times }) => `${title}: ${state} ${times}`),
    details: rows.map(({ details }) => details as { fingerprint?: string }),
  };
}

story('a group of 500 alerts is one incident and one page each', async (pager) => {
  const on = await grouped(pager);
  const answer = await pager.trigger(on, message(names(1, 500)));
  assert.ok(answer.type === 'accepted');
  assert.deepEqual(new Set(answer.alerts.map(({ incident }) => incident)), new Set([1]));
  assert.deepEqual(
    [answer.alerts[0]?.outcome, new Set(answer.alerts.slice(1).map(({ outcome }) => outcome))],
    ['opened', new Set(['grouped'])],
  );
  await pager.at('09:01');
  assert.deepEqual(pager.heard(), ['09:00 ada: page Disk full on db-1 and 499 more']);
  assert.deepEqual(await pager.timeline(1), ['opened', 'step_ran', 'alert_joined', 'notice_sent']);
  const { counts, rows, details } = await alertsOf(pager, 1);
  assert.deepEqual([counts, rows.length], [[500, 500], 500]);
  assert.deepEqual(new Set(details.map(({ fingerprint }) => fingerprint)).size, 500);

  await pager.trigger(on, message(names(1, 500)));
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await pager.at('09:15');
  assert.deepEqual(pager.heard(), ['09:10 lin: page Disk full on db-1 and 499 more']);
  await pager.trigger(on, message([...names(1, 499, { ended: true }), ...names(500, 500)]));
  assert.deepEqual((await alertsOf(pager, 1)).counts, [1, 500]);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await pager.trigger(on, message(names(500, 500, { ended: true })));
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
  const types = await pager.timeline(1);
  assert.deepEqual(
    types.filter((type) => type.startsWith('alert_')),
    ['alert_joined', 'alert_resolved'],
  );
});

story('alerts join in later requests, on every server, and end by themselves', async (pager) => {
  const on = await grouped(pager);
  const other = pager.serve();
  await pager.trigger(on, message(names(1, 1)));
  await pager.trigger(on, message(names(2, 2)), other);
  await pager.trigger(on, message(names(1, 3)));
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.deepEqual((await alertsOf(pager, 1)).rows, [
    'Disk full on db-1: firing 2',
    'Disk full on db-2: firing 2',
    'Disk full on db-3: firing 1',
  ]);
  await pager.trigger(on, message(names(2, 2, { ended: true })), other);
  assert.deepEqual((await alertsOf(pager, 1)).rows, [
    'Disk full on db-1: firing 2',
    'Disk full on db-3: firing 1',
    'Disk full on db-2: resolved 2',
  ]);
  await pager.trigger(on, message(names(1, 3, { ended: true })));
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
  await pager.trigger(on, message(names(2, 2)));
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
});

story('a group whose members change in one request stays open', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 1)));
  await pager.trigger(on, message([...names(1, 1, { ended: true }), ...names(2, 2)]));
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.deepEqual((await alertsOf(pager, 1)).counts, [1, 2]);
});

story('two requests at once are one incident', async (pager) => {
  const on = await grouped(pager);
  const other = pager.serve();
  await Promise.all([
    pager.trigger(on, message(names(1, 20))),
    pager.trigger(on, message(names(11, 30)), other),
    pager.trigger(on, message(names(1, 30)), other),
  ]);
  await pager.at('09:01');
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.deepEqual((await alertsOf(pager, 1)).counts, [30, 30]);
  assert.equal(pager.heard().length, 1);
});

story('an alert that is worse pages whoever acknowledged', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 2)));
  await pager.at('09:01');
  await pager.does(1, { type: 'acknowledge' });
  pager.heard();
  await pager.trigger(on, message(names(3, 3)));
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), []);
  await pager.trigger(on, message(names(4, 4, { severity: 'critical' })));
  await pager.at('09:03');
  assert.deepEqual(pager.heard(), ['09:02 ada: page Disk full on db-4 and 3 more']);
});

story('resolved by a person all of them are over, and fire again with it', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 3)));
  await pager.trigger(on, message(names(3, 3, { ended: true })));
  await pager.at('09:01');
  await pager.does(1, { type: 'resolve' });
  assert.deepEqual((await alertsOf(pager, 1)).counts, [0, 3]);
  await pager.does(1, { type: 'reopen' });
  assert.deepEqual((await alertsOf(pager, 1)).counts, [2, 3]);
  await pager.does(1, { type: 'resolve' });
  await pager.trigger(on, message(names(1, 2)));
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  const refused = await pager.does(1, { type: 'reopen' });
  assert.equal(refused.result, 'refused', 'its keys are in another open incident');
});

story('merged, the other has the alerts of both', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'disk' });
  await pager.trigger(on, { title: 'load' });
  await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
  assert.deepEqual((await alertsOf(pager, 2)).counts, [2, 2]);
  await pager.trigger(on, { title: 'disk' });
  await pager.trigger(on, { title: 'load', status: 'resolve' });
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  await pager.trigger(on, { title: 'disk', status: 'resolve' });
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
});

story('merged, the other has the alerts of a group, with what their tool sent', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 3)));
  const other = await pager.integration({ steps: [pager.step('lin')] });
  for (const title of ['load', 'memory']) await pager.trigger(other, { title, host: 'db' });
  await pager.does(3, { type: 'merge', intoId: await pager.idOf(2) });
  await pager.trigger(on, message(names(3, 3, { ended: true })));
  await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
  const { counts, details } = await alertsOf(pager, 2);
  assert.deepEqual(counts, [4, 5]);
  assert.deepEqual(details.flatMap(({ fingerprint }) => fingerprint ?? []).sort(), [
    'db-1',
    'db-2',
    'db-3',
  ]);
  for (const title of ['load', 'memory']) await pager.trigger(other, { title, status: 'resolve' });
  await pager.trigger(on, message(names(1, 2)));
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered', '3 resolved']);
  await pager.trigger(on, message(names(1, 2, { ended: true })));
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved', '3 resolved']);
});

story('alerts that are split off have an incident of their own, which pages', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 4)));
  await pager.at('09:01');
  await pager.does(1, { type: 'acknowledge' });
  pager.heard();
  const splitsOff = async (number: number, ids: readonly string[]) => {
    const { ledger } = pager.serve();
    const by = { type: 'user', id: 'eve', name: 'Eve', via: 'api' } as const;
    const context = { ledger, clock: pager.clock, ids: createIds(pager.clock), committed() {} };
    const target = { organizationId: pager.scope.organizationId, id: await pager.idOf(number) };
    const dedup = (id: string) => alertIdOf({ integration_id: on.id, dedup_key: id });
    const request = { by, alertIds: ids.map(dedup), mayTouch: () => true, repeatable: null };
    return split(context, target, request);
  };
  assert.deepEqual(await splitsOff(1, ['db-1', 'db-9']), { result: 'unknown', indexes: [1] });
  assert.equal((await splitsOff(1, ['db-1', 'db-2', 'db-3', 'db-4'])).result, 'refused');
  assert.equal((await splitsOff(1, ['db-1', 'db-3'])).result, 'opened');
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), ['09:01 ada: page Disk full on db-1 and 1 more']);
  assert.deepEqual(await pager.incidents(), ['1 acknowledged', '2 triggered']);
  const own = await alertsOf(pager, 2);
  assert.deepEqual(own.counts, [2, 2]);
  assert.deepEqual(own.details[0]?.fingerprint, 'db-1', 'with what its tool sent');
  assert.deepEqual((await alertsOf(pager, 1)).counts, [2, 2]);

  const again = await pager.trigger(on, message(names(1, 4)));
  assert.ok(again.type === 'accepted');
  assert.deepEqual(
    again.alerts.map(({ outcome, incident }) => `${outcome} ${incident}`),
    ['suppressed 2', 'suppressed 1', 'suppressed 2', 'suppressed 1'],
  );
  await pager.trigger(on, message(names(1, 1, { ended: true })));
  await pager.trigger(on, message(names(3, 3, { ended: true })));
  assert.deepEqual(await pager.incidents(), ['1 acknowledged', '2 resolved']);
  await pager.trigger(on, message(names(1, 1)));
  assert.deepEqual(
    await pager.incidents(),
    ['1 acknowledged', '2 resolved', '3 triggered'],
    'it never joins the first again',
  );
});

story('nothing joins while a server of the release before may be connected', async (pager) => {
  const on = await grouped(pager);
  await pager.sql`update schedule_rules set in_force_from = null`;
  await pager.trigger(on, message(names(1, 2)));
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
  await pager.sql`update schedule_rules set in_force_from = now()`;
  await pager.trigger(on, message(names(1, 3)));
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
  assert.deepEqual((await alertsOf(pager, 2)).counts, [2, 2], 'the newest');
});

story('an alert that only joined has an answer of its own for its tool', async (pager) => {
  const on = await grouped(pager);
  await pager.trigger(on, message(names(1, 2)));
  await pager.trigger(on, message(names(2, 2, { ended: true })));
  const integration = {
    organizationId: pager.scope.organizationId,
    integrationId: on.id,
  };
  const sent = async (dedup_key: string) => {
    const alert = await findSentAlert(pager.sql, integration, { dedup_key });
    return alert && [alert.number, alert.status];
  };
  assert.deepEqual(await sent('db-1'), [1, 'triggered']);
  assert.deepEqual(await sent('db-2'), [1, 'resolved']);
  assert.equal(await sent('db-3'), null);
});

story(
  'incidents that were merged before the upgrade have the alerts of all of them',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    for (const title of ['disk', 'load', 'cpu']) await pager.trigger(on, { title });
    await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
    await pager.does(2, { type: 'merge', intoId: await pager.idOf(3) });
    await pager.sql`delete from incident_alerts`;
    await pager.sql`update incidents set alerts_total = null, alerts_firing = null`;
    const file = join(import.meta.dirname, '../../migrations/0077-alerts-of-incidents.sql');
    const migration = readFileSync(file, 'utf8');
    await pager.sql.unsafe(migration.slice(migration.indexOf('with recursive')));
    assert.deepEqual((await alertsOf(pager, 3)).counts, [3, 3]);
    await pager.trigger(on, { title: 'disk' });
    for (const title of ['load', 'cpu']) await pager.trigger(on, { title, status: 'resolve' });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved', '3 triggered']);
    await pager.trigger(on, { title: 'disk', status: 'resolve' });
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved', '3 resolved']);
  },
);
