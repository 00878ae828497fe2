// Incidents that test events open, beside real ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAlert, eve, Life, later, opened, paged, received } from '../../test/incident-life.ts';
import { absorb } from './merge.ts';

const alert = buildAlert({ group: '{}:{alertname="DiskFull"}' });

/** Another event of the key of an incident that is open. */
function again(first: { isTest: boolean }, second: { isTest: boolean }) {
  const { incident } = opened(first);
  const known = { open: [incident] };
  const [outcome] = received({ known, now: later(1), ...second }).outcomes;
  assert.equal(outcome?.incident.id, incident.id);
  return outcome.incident.is_test;
}

test('a test event opens a test, which pages as any incident does', () => {
  const outcome = opened({ isTest: true });
  assert.equal(outcome.incident.is_test, true);
  assert.deepEqual(paged(outcome), paged(opened()));
  assert.equal(opened().incident.is_test, false);
});

test('only what nothing but tests came to is a test', () => {
  for (const first of [true, false])
    for (const second of [true, false])
      assert.equal(again({ isTest: first }, { isTest: second }), first && second);
});

test('a test joins no group, and nothing joins it', () => {
  const group = { key: 'disks', windowMinutes: null, rule: null, across: 'integration' } as const;
  const { incident: real } = opened({ alert, group: { ...group, open: [] }, id: 'real' });
  assert.equal(real.group_key, group.key);
  const tested = { ...alert, dedup_key: 'test' };
  const fields = { alert: tested, group: { ...group, open: [real] }, id: 'test' };
  assert.equal(received(fields).outcome, 'grouped');
  const result = received({ ...fields, isTest: true });
  assert.equal(result.outcome, 'opened');
  const [outcome] = result.outcomes;
  assert.deepEqual([outcome?.incident.is_test, outcome?.incident.group_key ?? null], [true, null]);
});

test('merged with a real incident it is one, merged with a test it stays one', () => {
  const { incident: tested } = opened({ isTest: true });
  const other = { ...opened().incident, id: 'other' };
  assert.equal(absorb(tested, eve, other).incident.is_test, false);
  assert.equal(absorb(other, eve, tested).incident.is_test, false);
  assert.equal(absorb(tested, eve, { ...tested, id: 'other' }).incident.is_test, true);
});

test('nobody says what it turned out to be, also after it was reopened', () => {
  const life = new Life({ isTest: true });
  life.does({ type: 'resolve', by: eve }, 1);
  const refused = life.does({ type: 'set_verdict', by: eve, to: 'real' }, 2);
  assert.deepEqual(refused, { refused: 'INC-7 is a test' });
  life.does({ type: 'reopen', by: eve, anotherIsOpen: false }, 3);
  assert.equal(life.incident.is_test, true);
});
