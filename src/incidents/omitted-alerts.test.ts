import assert from 'node:assert/strict';
import { test } from 'node:test';
import { omissionOf } from './omitted-alerts.ts';

const group = '{}:{alertname="Down"}';
const omission = (slug: string, omitted?: number, more = {}) =>
  omissionOf({ slug }, { group, ...(omitted !== undefined && { omitted }), ...more });
const textOf = (slug: string, omitted: number, more = {}) =>
  omission(slug, omitted, more).map(({ text }) => text);

test('what a tool omitted is counted, with the group and the setting of the tool', () => {
  assert.deepEqual(textOf('alertmanager', 7), [
    `The last message omitted 7 alerts of the group ${group}. Omitted alerts page nobody. Raise max_alerts of the webhook receiver, or group by more labels.`,
  ]);
  assert.match(
    textOf('grafana', 1, { group: undefined })[0] ?? '',
    /omitted 1 alert\. .* Raise Max Alerts of the contact point,/,
  );
  assert.match(textOf('webhook', 2)[0] ?? '', /Raise its limit of alerts for each message,/);
  const long = textOf('alertmanager', 2, { group: 'x'.repeat(5_000) })[0] ?? '';
  assert.ok(long.length < 300, long);
});

test('only a complete message of the same group and sender shows that nothing is missing', () => {
  assert.deepEqual(omission('alertmanager'), []);
  const [{ subject: one = '' } = {}] = omission('alertmanager', 7);
  const subjectOf = (more = {}) => omission('alertmanager', 0, more)[0]?.subject;
  assert.equal(omission('alertmanager', 0)[0]?.text, null);
  assert.equal(subjectOf(), one);
  assert.notEqual(subjectOf({ group: '{}:{alertname="Slow"}' }), one);
  assert.notEqual(subjectOf({ reporter: 'http://b' }), one);
});
