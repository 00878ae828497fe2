import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertCard } from './alert-card.ts';

const pairs = (of: Readonly<Record<string, string>>) =>
  Object.entries(of).map(([name, value]) => ({ name, value }));
const lines = (some: readonly { name: string; value: string }[]) =>
  some.map(({ name, value }) => `${name}=${value}`);

test('what is wrong is first, then labels and annotations without their path', () => {
  const card = alertCard(
    pairs({
      status: 'firing',
      'labels.alertname': 'HighErrorRate',
      'labels.severity': 'critical',
      'groupLabels.alertname': 'HighErrorRate',
      'annotations.summary': 'Errors above 5 %',
      'annotations.description': 'Errors at 7.2 % for 10 minutes.',
      'annotations.runbook_url': 'https://runbooks.test/errors',
      'annotations.owner': 'Team Shop',
      startsAt: '2026-01-01T10:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: '',
    }),
    { title: 'Errors above 5 %', hrefs: ['https://runbooks.test/errors'] },
  );
  assert.deepEqual(card.description, {
    name: 'description',
    value: 'Errors at 7.2 % for 10 minutes.',
  });
  assert.deepEqual(lines(card.labels), ['alertname=HighErrorRate', 'severity=critical']);
  assert.deepEqual(lines(card.annotations), ['owner=Team Shop']);
  assert.deepEqual(lines(card.rest), ['status=firing', 'startsAt=2026-01-01T10:00:00Z']);
});

test('what is empty, a date of nothing or the title again is not shown', () => {
  const card = alertCard(
    pairs({ message: 'Disk full', a: ' ', b: 'null', c: '1970-01-01T00:00:00Z', host: 'db-1' }),
    { title: 'Disk full' },
  );
  assert.equal(card.description, null);
  assert.deepEqual(lines(card.rest), ['host=db-1']);
});

test('a value that labels have shown is not shown again, unless it is too short to be the same', () => {
  const card = alertCard(
    pairs({
      'labels.host': 'db-12.internal',
      'labels.up': '0',
      host: 'db-12.internal',
      value: '0',
    }),
  );
  assert.deepEqual(lines(card.labels), ['host=db-12.internal', 'up=0']);
  assert.deepEqual(lines(card.rest), ['value=0']);
});
