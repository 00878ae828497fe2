import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryTypes, eve, Life, later } from '../../test/incident-life.ts';
import type { Verdict } from '../resources/verdicts.ts';
import type { Actor, Outcome, Refused } from './incident.ts';

const bo: Actor = { type: 'user', id: 'bo', name: 'Bo', via: 'dashboard' };

/** Resolved a minute after it paged Ada. */
function resolved(): Life {
  const life = new Life();
  life.does({ type: 'resolve', by: eve }, 1);
  return life;
}

const sets = (life: Life, to: Verdict | null, { by = eve, minute = 2 } = {}) =>
  life.does({ type: 'set_verdict', by, to }, minute);

const textOf = (outcome: Outcome | Refused) =>
  'refused' in outcome ? outcome.refused : outcome.entries.map(({ text }) => text).join();

test('a verdict is who said it last, and when; without it, nobody is', () => {
  const life = resolved();
  assert.equal(textOf(sets(life, 'false_alarm')), 'Eve set the verdict to false alarm');
  const { verdict, verdict_by, verdict_at } = life.incident;
  assert.deepEqual([verdict, verdict_by, verdict_at], ['false_alarm', eve, later(2)]);
  assert.equal(textOf(sets(life, 'real', { by: bo, minute: 3 })), 'Bo set the verdict to real');
  assert.deepEqual([life.incident.verdict_by, life.incident.verdict_at], [bo, later(3)]);
  assert.equal(textOf(sets(life, null)), 'Eve removed the verdict');
  assert.deepEqual(
    [life.incident.verdict, life.incident.verdict_by, life.incident.verdict_at],
    [null, null, null],
  );
});

test('the same verdict once more changes nothing, and notifies nobody', () => {
  const life = resolved();
  assert.deepEqual(entryTypes(sets(life, null)), ['unchanged']);
  const first = sets(life, 'nothing_to_do');
  assert.ok('intents' in first);
  assert.deepEqual([first.intents, first.allClear], [[], false]);
  const again = sets(life, 'nothing_to_do', { by: bo, minute: 4 });
  assert.equal(
    textOf(again),
    'Bo tried to set the verdict, which changed nothing: it was already nothing to do',
  );
  assert.deepEqual(life.incident.verdict_by, eve);
});

test('a reopened incident keeps its verdict, which changes once it is over again', () => {
  const life = resolved();
  sets(life, 'false_alarm');
  life.does({ type: 'reopen', by: eve, anotherIsOpen: false }, 3);
  assert.equal(life.incident.verdict, 'false_alarm');
  assert.equal(textOf(sets(life, 'real')), `INC-${life.incident.number} is not resolved yet`);
  life.does({ type: 'resolve', by: eve }, 4);
  sets(life, 'real', { minute: 5 });
  assert.equal(life.incident.verdict, 'real');
});

test('what was merged is judged with the other one', () => {
  const life = new Life();
  const into = { ...new Life().incident, id: 'other', number: 8 };
  life.does({ type: 'merge', by: eve, into }, 1);
  assert.match(textOf(sets(life, 'real')), /was merged into another incident$/);
});
