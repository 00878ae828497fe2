import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildAlert,
  entryTypes,
  eve,
  Life,
  later,
  paged,
  received,
} from '../../test/incident-life.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { notifyOfStorms, stormBegan } from './storm.ts';

const again = {
  type: 'suppressed',
  alert: buildAlert(),
  eventId: 'again',
  isLogged: false,
  expiresAt: null,
  remember: 0,
} as const;

/** Triggers once a second, beginning so many minutes after noon. */
function triggers(life: Life, count: number, from: number): string[] {
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const outcome = life.does({ ...again, eventId: `e${index}` }, from + index / 60);
    lines.push([...entryTypes(outcome), ...paged(outcome)].join(' '));
  }
  return lines;
}

test('a repeat that the event log tells of is counted without a word', () => {
  const life = new Life();
  const outcome = life.does({ ...again, isLogged: true }, 1);
  assert.deepEqual([entryTypes(outcome), life.incident.suppressed_count], [[], 1]);
});

describe('a storm', () => {
  test('begins with the 20th trigger within a minute, the opening one among them', () => {
    const life = new Life();
    const lines = triggers(life, incidentsLimits.stormTriggers - 1, 0);
    assert.deepEqual(new Set(lines.slice(0, -1)), new Set(['suppressed']));
    assert.equal(lines.at(-1), 'suppressed storm_began');
    assert.equal(life.escalation.storm?.eventId, `e${incidentsLimits.stormTriggers - 2}`);
  });

  test('does not begin when 20 triggers take longer than a minute', () => {
    const life = new Life();
    for (let index = 1; index <= 40; index += 1) life.does(again, index * 0.06);
    assert.equal(life.escalation.storm, null);
  });

  test('counts for a minute without a word, then keeps triggers singly again', () => {
    const life = new Life();
    triggers(life, 19, 0);
    const began = 18 / 60;
    assert.deepEqual(entryTypes(life.does(again, began + 0.999)), []);
    assert.equal(life.incident.suppressed_count, 20);
    assert.deepEqual(entryTypes(life.does(again, began + 1)), ['suppressed']);
  });

  test('begins again while triggers keep coming', () => {
    const life = new Life();
    let began = 0;
    for (let second = 0; second < 10 * 60; second += 1)
      began += entryTypes(life.does(again, second / 60)).filter((one) => one === stormBegan).length;
    assert.ok(began >= 5, `${began}`);
  });

  test('is one of those that one notice to the admins names', () => {
    const { incident, configuration } = new Life();
    const context = { configuration, now: later(1) };
    for (const [others, text] of [
      [{ numbers: [], more: 0 }, 'Alert storm: notified boss'],
      [{ numbers: [8], more: 0 }, 'Alert storm: notified boss, also about INC-8'],
      [
        { numbers: [8, 9], more: 4 },
        'Alert storm: notified boss, also about INC-8, INC-9 and 4 more',
      ],
    ] as const) {
      const outcome = notifyOfStorms(incident, others, context);
      assert.deepEqual(paged(outcome), ['storm boss by email']);
      assert.deepEqual(
        outcome.entries.map((one) => one.text),
        [text],
      );
    }
  });

  test('is counted onto the row of the trigger that began it', () => {
    const life = new Life();
    triggers(life, 19, 0);
    const known = { open: [life.incident] };
    assert.equal(received({ known, now: later(1), eventId: 'x' }).stormEventId, 'e18');
    assert.equal(received({ known, now: later(1.4), eventId: 'x' }).stormEventId, null);
  });

  test('never holds back a resolve or an acknowledgement', () => {
    for (const action of ['resolve', 'acknowledge'] as const) {
      const life = new Life();
      triggers(life, 19, 0);
      const result = received({
        known: { open: [life.incident] },
        alert: buildAlert({ action }),
        now: later(1),
      });
      assert.equal(result.outcome, `${action.replace(/e$/, '')}ed`);
      assert.equal(result.stormEventId, null);
    }
  });

  test('ends with the incident', () => {
    const life = new Life();
    triggers(life, 19, 0);
    life.does({ type: 'resolve', by: eve }, 0.5);
    assert.equal(life.escalation.storm, null);
  });
});
