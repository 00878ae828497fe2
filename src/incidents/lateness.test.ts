import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration } from '../../test/configuration.ts';
import {
  adaThenLin,
  buildAlert,
  buildIntegration,
  entryTypes,
  later,
  paged,
  received,
  withSteps,
} from '../../test/incident-life.ts';
import type { AlertEvent, SourceTime } from '../alerts/alert.ts';
import { mailTime } from '../alerts/source-time.ts';
import type { RoutedIntegration } from './configuration.ts';
import { type Incident, isOpen } from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import { advance } from './lifecycle.ts';

/** One key, fed event after event, with its timers; times are minutes after noon. */
class Source {
  readonly outcomes: string[] = [];
  readonly pages: string[] = [];
  incidents: Incident[] = [];
  end: KeyEnd | null = null;
  readonly #integration: RoutedIntegration;
  #now = 0;

  constructor(integration = buildIntegration()) {
    this.#integration = integration;
  }

  get open(): Incident[] {
    return this.incidents.filter(isOpen);
  }

  get status() {
    return this.incidents.map(({ status }) => status);
  }

  at(minutes: number): void {
    const configuration = buildConfiguration({ integrations: [this.#integration] });
    for (let at = this.#now; at <= minutes; at += 0.25) {
      for (const one of this.open) {
        const outcome = advance(one, { type: 'timer' }, { configuration, now: later(at) });
        if ('refused' in outcome) continue;
        this.#put(outcome.incident);
        this.pages.push(...paged(outcome).map((page) => `${at} ${page}`));
      }
    }
    this.#now = minutes;
  }

  sends(action: 'trigger' | 'resolve', sourceTime: SourceTime | undefined, at: number): string[] {
    this.at(at);
    const result = received({
      integration: this.#integration,
      alert: buildAlert({ action, ...(sourceTime && { sourceTime }) }),
      known: { open: this.open, end: this.end },
      now: later(at),
      eventId: `${at}`,
    });
    this.outcomes.push(result.outcome);
    if (result.end) this.end = result.end;
    for (const { incident } of result.outcomes) {
      const id = result.opened ? `${this.incidents.length}` : incident.id;
      this.#put({ ...incident, id });
    }
    this.pages.push(...result.outcomes.flatMap((one) => paged(one).map((page) => `${at} ${page}`)));
    return result.outcomes.flatMap((one) => entryTypes(one));
  }

  mail(action: 'trigger' | 'resolve', written: number, arrived: number, taken = written): void {
    const headers = { date: mailText(written), received: `by relay; ${mailText(taken)}` };
    this.sends(action, mailTime({ headers }, later(arrived)), arrived);
  }

  group(action: AlertEvent['action'] & ('trigger' | 'resolve'), at: number, arrived: number) {
    return this.sends(
      action,
      { by: 'group', at: later(at), mayBeLate: true, isSure: true },
      arrived,
    );
  }

  #put(incident: Incident): void {
    const index = this.incidents.findIndex(({ id }) => id === incident.id);
    if (index < 0) this.incidents.push(incident);
    else this.incidents[index] = incident;
  }
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const mailText = (minutes: number): string => {
  const at = later(minutes).toZonedDateTimeISO('UTC');
  const two = (part: number) => String(part).padStart(2, '0');
  const month = at.toPlainDate().toLocaleString('en', { month: 'short', calendar: 'iso8601' });
  return `${days[at.dayOfWeek - 1]}, ${at.day} ${month.slice(0, 3)} ${at.year} ${two(at.hour)}:${two(at.minute)}:${two(at.second)} +0000`;
};

describe('mails', () => {
  test('a problem that a relay delivers after its recovery opens nothing', () => {
    const source = new Source();
    source.mail('resolve', 9, 20);
    source.mail('trigger', 0, 21);
    assert.deepEqual(source.outcomes, ['ignored', 'ignored']);
    source.mail('trigger', 22, 22);
    assert.deepEqual([source.outcomes.at(-1), source.pages], ['opened', ['22 page ada by email']]);
  });

  test('what is known only by its arrival, or arrived at once, is never late', () => {
    const source = new Source();
    source.mail('resolve', 9, 20);
    source.sends('trigger', undefined, 21);
    assert.deepEqual(source.outcomes, ['ignored', 'opened']);
    const prompt = new Source();
    prompt.mail('resolve', 10, 10);
    prompt.mail('trigger', 9.5, 10.25);
    assert.deepEqual(prompt.outcomes, ['ignored', 'opened']);
  });

  test('an end whose clock is off, or that is of five days ago, makes nothing late', () => {
    const off = new Source();
    off.mail('resolve', 30, 12, 12);
    off.mail('trigger', 5, 13);
    assert.deepEqual(off.outcomes, ['ignored', 'opened']);
    const old = new Source();
    old.mail('resolve', -2, 0);
    old.mail('trigger', -5, 5 * 1_440);
    assert.deepEqual(old.outcomes, ['ignored', 'opened']);
  });

  test('an end that comes late ends nothing of what was reported after it', () => {
    const source = new Source();
    source.mail('trigger', 10, 10);
    source.mail('resolve', 5, 12);
    assert.deepEqual([source.outcomes, source.status], [['opened', 'ignored'], ['triggered']]);
    source.mail('resolve', 12, 12);
    assert.deepEqual(source.status, ['resolved']);
  });

  test('only an end of the source makes a problem late: not a person, a timer or a rule', () => {
    const source = new Source(buildIntegration({ autoResolve: { after: 5, unit: 'minutes' } }));
    source.mail('trigger', 0, 0);
    source.at(6);
    assert.deepEqual(source.status, ['resolved']);
    source.mail('trigger', 1, 8);
    assert.equal(source.outcomes.at(-1), 'opened');
  });
});

describe('groups', () => {
  test('the firing of the second of a pair is put off by six minutes, and ends in them', () => {
    const source = new Source();
    source.group('trigger', 0, 0.5);
    source.group('resolve', 30, 30.5);
    assert.deepEqual(source.pages, ['0.5 page ada by email', '5.5 page lin by email']);
    const entries = source.group('trigger', 0, 31);
    assert.deepEqual(entries, ['opened', 'paging_put_off']);
    source.group('resolve', 30, 33);
    source.at(60);
    assert.deepEqual([source.pages.length, source.status], [2, ['resolved', 'resolved']]);
  });

  test('a firing that is put off pages when it has not ended', () => {
    const source = new Source();
    source.group('resolve', 30, 30);
    source.group('trigger', 0, 31);
    source.at(36.75);
    assert.deepEqual(source.pages, []);
    source.at(38);
    assert.deepEqual(source.pages, ['37 page ada by email']);
  });

  test('the six minutes are counted once for each start, and after them it pages at once', () => {
    const source = new Source();
    source.group('resolve', 30, 30);
    source.group('trigger', 0, 31);
    source.group('resolve', 31, 32);
    source.group('trigger', 0, 35);
    source.at(36.75);
    assert.deepEqual(source.pages, []);
    source.group('resolve', 36.75, 36.75);
    source.group('trigger', 0, 37.5);
    assert.deepEqual(source.pages, ['37.5 page ada by email']);
  });

  test('a trigger that is not late ends the putting off; one that is leaves it', () => {
    const later = new Source();
    later.group('resolve', 30, 30);
    later.group('trigger', 0, 31);
    assert.deepEqual(later.group('trigger', 0, 32), ['suppressed']);
    assert.deepEqual(later.pages, []);
    later.group('trigger', 33, 33);
    assert.deepEqual(later.pages, ['33 page ada by email']);
    const undated = new Source();
    undated.group('resolve', 30, 30);
    undated.group('trigger', 0, 31);
    undated.sends('trigger', undefined, 32);
    assert.deepEqual(undated.pages, ['32 page ada by email']);
  });

  test('of the delay of the policy and the putting off the later one holds', () => {
    for (const [delay, pages] of [
      [2, '37 page ada by email'],
      [10, '41 page ada by email'],
    ] as const) {
      const source = new Source(withSteps(adaThenLin, delay));
      source.group('resolve', 30, 30);
      source.group('trigger', 0, 31);
      source.at(42);
      assert.equal(source.pages[0], pages);
    }
    const ended = new Source(withSteps(adaThenLin, 4));
    ended.group('resolve', 30, 30);
    ended.group('trigger', 0, 31);
    ended.group('trigger', 32, 32);
    assert.deepEqual(ended.pages, []);
    ended.at(35);
    assert.deepEqual(ended.pages, ['35 page ada by email']);
  });

  test('an end that is older than the last start by more than a minute ends nothing', () => {
    const source = new Source();
    source.group('trigger', 30, 30);
    assert.deepEqual(source.group('resolve', 28, 31), ['late_end']);
    assert.deepEqual([source.outcomes.at(-1), source.status], ['ignored', ['triggered']]);
    source.group('resolve', 29.5, 32);
    assert.deepEqual(source.status, ['resolved']);
  });
});

test('a firing is never dropped for its age, and what was over is not paged by what is older', () => {
  const anyStep = fc.record({
    action: fc.constantFrom('trigger' as const, 'resolve' as const),
    at: fc.integer({ min: 0, max: 60 }),
    wait: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), (steps) => {
      const source = new Source();
      let now = 60;
      for (const { action, at, wait } of steps) {
        now += wait;
        const before = source.open.length;
        source.group(action, at, now);
        // It is open now, whatever was before.
        if (action === 'trigger') assert.ok(source.open.length === 1, 'a firing is dropped');
        if (action === 'resolve' && before === 1 && source.open.length === 1)
          assert.equal(source.outcomes.at(-1), 'ignored');
      }
      const opened = source.open.length;
      source.at(now + 7);
      // Whatever is open seven minutes later has been paged.
      if (opened === 1) assert.ok(source.pages.length > 0, 'what burns pages nobody');
    }),
  );
});
