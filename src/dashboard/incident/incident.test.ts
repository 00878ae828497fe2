import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../client/answer.ts';
import { type Alert, alertsIn } from './alerts/alerts.ts';
import { problemOfAlert, withoutAlerts } from './alerts/split.ts';
import { cardOf, hostOf, pairsOf } from './details.ts';
import { type Incident, newer, restOf, toYou } from './incident.ts';
import {
  type Entry,
  isShown,
  type Notice,
  otherOf,
  rowsOf,
  statusAfter,
  tally,
  wayOf,
} from './story.ts';

const entry = (type: string, at: string, more: Partial<Entry> = {}): Entry => ({
  id: `${type} ${at}`,
  cursor: at,
  at,
  type,
  text: type,
  ...more,
});
const notice = (kind: string, created_at: string, state: Notice['state'] = 'sent'): Notice => ({
  key: `${kind} ${created_at} ${state}`,
  kind,
  channel: 'email',
  state,
  created_at,
  awaits_receipt: false,
  attempts: [],
});

test('notices stand with the entry that sent them, and not once more', () => {
  const entries = [
    entry('opened', '1'),
    entry('step_ran', '1'),
    entry('notice_sent', '2'),
    entry('notice_failed', '2'),
    entry('resolved', '3'),
    entry('notice_sent', '4'),
  ];
  const rows = rowsOf(entries, [
    notice('page', '1'),
    notice('page', '1', 'failed'),
    notice('all_clear', '3', 'pending'),
  ]);
  assert.deepEqual(
    rows.map((row) => [row.entry.type, tally(row.notices)]),
    [
      ['opened', []],
      [
        'step_ran',
        [
          { state: 'sent', count: 1 },
          { state: 'failed', count: 1 },
        ],
      ],
      ['resolved', [{ state: 'pending', count: 1 }]],
    ],
  );
});

test('where notices are not known, their entries stay', () => {
  const entries = [entry('step_ran', '1'), entry('notice_sent', '2')];
  assert.equal(rowsOf(entries, null).length, 2);
  assert.equal(rowsOf(entries, [notice('page', '1'), notice('page', '3')]).length, 2);
  const call = entry('notice_sent', '2', { details: { delivery_id: 'd' } });
  assert.equal(rowsOf([entry('opened', '1'), call], [notice('webhook', '1')]).length, 2);
});

test('notices from before the first entry that is loaded wait for it', () => {
  const rows = rowsOf([entry('resolved', '5')], [notice('page', '1'), notice('all_clear', '5')]);
  assert.deepEqual(
    rows.map(({ notices }) => notices.length),
    [1],
  );
});

test('a timeline is narrowed to pages, people and alerts', () => {
  const actor = { type: 'user', name: 'Ada', via: 'dashboard' };
  const rows = [
    entry('opened', '1', { actor: { type: 'alert', name: 'Checks', via: 'alert' } }),
    entry('step_ran', '1'),
    entry('suppressed', '2'),
    entry('escalated', '3', { actor }),
    entry('priority', '4', { actor }),
  ].map((one) => ({ entry: one, notices: [] }));
  const shown = (filter: 'all' | 'pages' | 'people' | 'alerts') =>
    rows.filter((row) => isShown(row, filter)).map((row) => row.entry.type);
  assert.equal(shown('all').length, 5);
  assert.deepEqual(shown('pages'), ['step_ran', 'escalated']);
  assert.deepEqual(shown('people'), ['escalated', 'priority']);
  assert.deepEqual(shown('alerts'), ['opened', 'suppressed']);
});

test('what alerts of a group do is among the alerts, and pages again among the pages', () => {
  const actor = { type: 'user', name: 'Ada', via: 'dashboard' };
  const entries = [
    ...['alert_joined', 'alert_resolved', 'opened_apart', 'paged_again'].map((type) =>
      entry(type, '1'),
    ),
    // Because of a worse alert: by nobody.
    ...['unacknowledged', 'unmuted'].map((type) => entry(type, '2')),
    ...['unacknowledged', 'unmuted'].map((type) => entry(type, '3', { actor })),
  ];
  const shown = (filter: 'pages' | 'people' | 'alerts') =>
    entries.filter((one) => isShown({ entry: one, notices: [] }, filter)).map(({ at }) => at);
  assert.deepEqual(shown('alerts'), ['1', '1', '1', '2', '2']);
  assert.deepEqual(shown('pages'), ['1']);
  assert.deepEqual(shown('people'), ['3', '3']);
  assert.deepEqual(entries.slice(4, 6).map(statusAfter), ['triggered', null]);
});

test('an entry about another incident leads there', () => {
  const details = { incident_id: 'a' };
  for (const type of ['merged', 'absorbed', 'opened_apart', 'alerts_split', 'opened'])
    assert.equal(otherOf(entry(type, '1', { details })), 'a');
  assert.equal(otherOf(entry('alert_joined', '1', { details })), null);
  for (const type of ['opened_apart', 'opened']) assert.equal(otherOf(entry(type, '1')), null);
});

test('an alert that moved between two pages is in the list once, as the later page has it', () => {
  const alert = (dedup_key: string, state: Alert['state']): Alert => ({
    id: dedup_key,
    integration_id: 'i',
    dedup_key,
    state,
    title: dedup_key,
    links: [],
    first_at: '1',
    last_at: '1',
    times: 1,
  });
  const alerts = alertsIn([
    { data: [alert('a', 'firing'), alert('b', 'firing')], next_cursor: '2' },
    { data: [alert('a', 'resolved'), alert('c', 'resolved')], next_cursor: null },
  ]);
  assert.deepEqual(
    alerts.map(({ dedup_key, state }) => `${dedup_key} ${state}`),
    ['a resolved', 'b firing', 'c resolved'],
  );
});

test('what is wrong with an alert that is split off is shown at it, and only there', () => {
  const wrong = { path: 'alert_ids[1]', message: 'is not an alert of this incident' };
  const other = { path: 'alert_ids', message: 'is required' };
  const failure: Failure = {
    type: 'refused',
    status: 422,
    code: 'validation_failed',
    message: 'The request is invalid.',
    issues: [wrong, other],
    requestId: '',
  };
  assert.equal(problemOfAlert(failure, 0), undefined);
  assert.equal(problemOfAlert(failure, 1), wrong);
  assert.deepEqual(withoutAlerts(failure), { ...failure, issues: [other] });
  assert.equal(problemOfAlert(null, 0), undefined);
});

test('an answer about oneself speaks to oneself', () => {
  assert.deepEqual(
    toYou('Lin Okafor was not paged: step 2, which names Lin Okafor, runs at 2026.', 'Lin Okafor'),
    { fact: 'You were not paged', reason: 'Step 2, which names Lin Okafor, runs at 2026.' },
  );
  assert.deepEqual(toYou('It is no longer known whether Lin was paged: gone.', 'Lin'), {
    fact: 'It is no longer known whether Lin was paged',
    reason: 'Gone.',
  });
});

test('an older answer does not overwrite a newer one', () => {
  const [old, latest] = [{ updated_at: '1' }, { updated_at: '2' }];
  assert.equal(newer(latest, old), latest);
  assert.equal(newer(old, latest), latest);
  assert.equal(newer(undefined, old), old);
});

test('what a tool sent is a table of names and values, as deep as one reads', () => {
  const details = {
    instance: 'db-12',
    labels: { tier: 'db', deep: { er: { still: 1 } } },
    tags: ['a', 2],
    no: null,
  };
  assert.deepEqual(pairsOf(details), [
    { name: 'instance', value: 'db-12' },
    { name: 'labels.tier', value: 'db' },
    { name: 'labels.deep.er', value: '{"still":1}' },
    { name: 'tags', value: 'a, 2' },
    { name: 'no', value: 'null' },
  ]);
  assert.equal(pairsOf('text'), null);
  assert.equal(pairsOf([1]), null);
});

test('what is said beside the details is not said again', () => {
  const incident = {
    title: 'Disk full',
    details: { message: 'Disk full', runbook: 'https://a.test/', labels: { host: 'db-12' } },
    links: [{ href: 'https://a.test/' }],
  } as unknown as Incident;
  assert.deepEqual(cardOf(incident), {
    description: null,
    labels: [{ name: 'host', value: 'db-12' }],
    annotations: [],
    rest: [],
  });
});

test('of what is over, the state with which it began is left to the raw text', () => {
  const incident = {
    title: 'Disk full',
    details: { status: 'firing', host: 'db-12' },
    links: [],
  } as unknown as Incident;
  const status = { name: 'status', value: 'firing' };
  const host = { name: 'host', value: 'db-12' };
  assert.deepEqual(cardOf(incident)?.rest, [status, host]);
  assert.deepEqual(cardOf(incident, true)?.rest, [host]);
});

test('only what is a page somewhere is a link', () => {
  assert.equal(hostOf('https://runbooks.example.com/db?x=1'), 'runbooks.example.com');
  assert.equal(hostOf('javascript:alert(1)'), null);
  assert.equal(hostOf('/incidents'), null);
});

test('who did something is shown with the channel by which they did it', () => {
  const by = (type: string, via: string, from?: string) =>
    wayOf({ type, name: 'Ada', via, ...(from !== undefined && { from }) });
  assert.deepEqual(
    [by('user', 'dashboard'), by('key', 'api'), by('user', 'slack'), by('user', 'phone')],
    ['dashboard', 'API key', 'Slack', 'Phone call'],
  );
  assert.equal(by('user', 'sms', '…67'), 'SMS from …67');
  assert.equal(by('alert', 'alert'), null);
  assert.equal(by('rule', 'rule'), null);
});

test('what comes of one for which no timer runs depends on whether it is over', () => {
  const rest = (more: Partial<Incident>) =>
    restOf({ status: 'triggered', integration_id: 'i', ...more } as Incident);
  assert.equal(rest({}), 'nothingAhead');
  assert.equal(rest({ status: 'resolved' }), 'overWithKey');
  assert.equal(restOf({ status: 'resolved' } as Incident), 'over', 'opened by a person');
  assert.equal(rest({ status: 'resolved', merged_into_id: 'j' }), 'overMerged');
});
