import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildIntegration,
  byMail,
  entryTypes,
  eve,
  Life,
  later,
  opened,
  paged,
  withSteps,
} from '../../test/incident-life.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { Intent, Outcome } from './incident.ts';
import { wakeAt } from './incident.ts';
import type { IncidentEvent } from './lifecycle.ts';
import { whatIsNext } from './next.ts';
import { cancellationReason } from './notice-cancellation.ts';
import { followPages, pageStateOf, type RoundPage } from './page-results.ts';

const steps = [byMail('ada', 5), byMail('lin', 5), byMail('boss')];
/** Ada and Lin at once. */
const both: Step = {
  ...byMail('ada', 5),
  targets: [byMail('ada'), byMail('lin')].flatMap(({ targets }) => targets),
};
const mute: IncidentEvent = { type: 'mute', by: eve, until: null };
const second = 1 / 60;

type Result = 'taken' | 'again' | 'failed';

/** An incident's life with its pages, whose results the tests decide. */
class Paging extends Life {
  readonly #pages = new Map<string, RoundPage & { readonly intent: Intent }>();

  constructor(policy: readonly Step[] = steps, repeats = false) {
    const { policy: named } = withSteps(policy);
    const integration = buildIntegration({ policy: named, repeats });
    super({ integration });
    this.#keep(opened({ integration }));
  }

  get #round(): readonly RoundPage[] {
    const { cycle } = this.escalation;
    return [...this.#pages.values()].filter(
      ({ intent }) => intent.kind === 'page' && intent.cycle === cycle,
    );
  }

  /** Whom the timers page until nothing is due any more. */
  runs(at: number): string[] {
    const all: string[] = [];
    for (let times = 0; times < 4; times += 1) {
      const outcome = this.does({ type: 'timer', pages: this.#round }, at);
      if (!('refused' in outcome)) this.#keep(outcome);
      all.push(...paged(outcome));
    }
    return all;
  }

  /** Does something, and keeps whom it pages. */
  acts(event: IncidentEvent, at: number): string[] {
    const outcome = this.does(event, at);
    if (!('refused' in outcome)) this.#keep(outcome);
    return paged(outcome);
  }

  /** An attempt of the last page of a step ends, of that to somebody if there are several. */
  ends(step: number, result: Result, at: number, recipient?: string): Outcome {
    this.now = later(at);
    const page = [...this.#pages.values()].findLast(
      (one) => one.step === step && (recipient ?? one.intent.recipient) === one.intent.recipient,
    );
    assert.ok(page, `step ${step} has no page`);
    const state = ({ taken: 'taken', again: 'open', failed: 'over' } as const)[result];
    const wasTaken = page.state === 'taken';
    this.#pages.set(page.key, { ...page, state, wasTaken, isTried: true });
    const attempt = { key: page.key, step, beganAt: this.now, isTaken: result === 'taken' };
    const { configuration, now } = this;
    const results = { pages: this.#round, attempts: [attempt], configuration, now };
    const outcome = followPages(this.incident, results);
    this.incident = outcome.incident;
    this.#keep(outcome);
    return outcome;
  }

  /** The pages whose telephone is in a call. */
  isOnPhone(isOnPhone: boolean): void {
    for (const [key, page] of this.#pages) this.#pages.set(key, { ...page, isOnPhone });
  }

  /** Why the pages to somebody are not sent any more, oldest first. */
  withdrawn(recipient: string): (string | null)[] {
    return [...this.#pages.values()]
      .filter(({ intent }) => intent.recipient === recipient)
      .map(({ intent }) => cancellationReason(intent, this.incident));
  }

  get wake(): number | null {
    return wakeAt(this.incident)?.since(later(0)).total('minutes') ?? null;
  }

  #keep({ intents }: Outcome): void {
    for (const intent of intents) {
      const { key, step, wave = 0 } = intent;
      const results = { state: 'open', wasTaken: false, isTried: false, isOnPhone: false } as const;
      const page = { key, step, wave, ...results };
      assert.ok(!this.#pages.has(key), `${key} is not new`);
      if (intent.kind !== 'webhook') this.#pages.set(key, { ...page, intent });
    }
  }
}

const [toAda, toLin, toBoss] = ['page ada by email', 'page lin by email', 'page boss by email'];
const toAdmins = ['nobody_paged boss by email'];

describe('a step of which no page is taken', () => {
  test('counts as failed 60 s after the first attempt, and the next one runs', () => {
    const life = new Paging();
    assert.equal(life.wake, 3);
    life.ends(0, 'again', 2 * second);
    life.ends(0, 'again', 5 * second);
    assert.equal(`${wakeAt(life.incident)}`, `${later(62 * second)}`);
    assert.deepEqual(life.runs(61 * second), []);
    const outcome = life.does({ type: 'timer', pages: [] }, 61 * second);
    assert.deepEqual(entryTypes(outcome), []);
    assert.deepEqual(life.runs(62 * second), [toLin]);
    life.ends(1, 'again', 63 * second);
    assert.deepEqual(life.runs(123 * second), [toBoss]);
  });

  test('says so, and what comes', () => {
    const life = new Paging();
    life.ends(0, 'again', 0);
    const results = { wasTaken: false, isTried: true, isOnPhone: false };
    const page = { key: 'x', step: 0, wave: 0, ...results };
    const { entries } = life.does(
      { type: 'timer', pages: [{ ...page, state: 'open' }] },
      1,
    ) as Outcome;
    assert.equal(
      entries[0]?.text,
      'No page of step 1 of 3 could be sent within 60 seconds of its first attempt: step 2 runs now',
    );
  });

  test('has three minutes from its start while no attempt could be made', () => {
    const life = new Paging();
    assert.deepEqual([life.runs(2.99), life.runs(3)], [[], [toLin]]);
  });

  test('but not while its person hears of incidents in a call', () => {
    const life = new Paging();
    life.isOnPhone(true);
    assert.deepEqual([life.runs(3), life.wake], [[], 3.5]);
    life.isOnPhone(false);
    assert.deepEqual(life.runs(3.5), [toLin]);
  });

  test('has another minute once Pager is back that was down', () => {
    const life = new Paging();
    assert.deepEqual(life.runs(4), []);
    life.ends(0, 'again', 4);
    assert.deepEqual([life.wake, life.runs(5)], [5, [toLin]]);
  });

  test('one page that is taken is enough', () => {
    const life = new Paging([both, byMail('boss')]);
    life.ends(0, 'again', 0, 'ada');
    life.ends(0, 'taken', 30 * second, 'lin');
    assert.deepEqual([life.wake, life.runs(3)], [5, []]);
  });

  test('one that was taken and is lost gives a minute from its next attempt', () => {
    const life = new Paging();
    life.ends(0, 'taken', 0);
    life.ends(0, 'again', 2);
    assert.deepEqual([life.wake, life.runs(3)], [3, [toLin]]);
  });

  test('its time stands still while the incident is muted', () => {
    const life = new Paging();
    life.ends(0, 'again', 0);
    life.acts(mute, 0.5);
    assert.deepEqual([life.wake, life.runs(10)], [null, []]);
    life.acts({ type: 'unmute', by: eve }, 20);
    assert.deepEqual([life.runs(20.4), life.runs(20.5)], [[], [toLin]]);
  });

  test('an acknowledgement ends it', () => {
    const life = new Paging();
    life.ends(0, 'again', 0);
    life.acts({ type: 'acknowledge', by: eve }, 0.5);
    assert.deepEqual([life.wake, life.runs(1)], [null, []]);
    assert.deepEqual(entryTypes(life.ends(0, 'again', 1)), []);
  });

  test('after the last step the admins are paged, once', () => {
    const life = new Paging();
    for (const step of [0, 1]) {
      life.ends(step, 'again', step);
      life.runs(step + 1);
    }
    life.ends(2, 'again', 2);
    assert.deepEqual(life.runs(3), toAdmins);
    life.ends(0, 'again', 3.5);
    life.ends(2, 'again', 3.5);
    assert.deepEqual([life.wake, life.runs(10)], [null, []]);
    assert.deepEqual(paged(life.ends(2, 'failed', 11)), []);
  });

  test('nobody else is to be paged: the admins are', () => {
    const life = new Paging([byMail('ada', 1), { targets: [{ via: 'phone', user_id: 'lin' }] }]);
    life.ends(0, 'again', 2 * second);
    assert.deepEqual(life.runs(1), []);
    assert.deepEqual(life.runs(62 * second), toAdmins);
  });

  test('what happens next is told as if its pages were sent', () => {
    const life = new Paging();
    life.ends(0, 'again', 0);
    const next = whatIsNext(life.incident, { configuration: life.configuration, now: later(0) }, 1);
    assert.deepEqual(
      next.upcoming.map(({ at, timer }) => [`${at}`, timer]),
      [[`${later(5)}`, 'step']],
    );
  });

  test('its round does not repeat while its pages are tried, and does once they have failed', () => {
    const life = new Paging([byMail('ada')], true);
    life.ends(0, 'again', 0);
    assert.deepEqual(life.runs(1), toAdmins);
    assert.deepEqual([life.runs(10), life.runs(20)], [[], []]);
    assert.equal(life.escalation.repeatsLeft, 5);
    life.ends(0, 'failed', 25);
    assert.deepEqual(life.runs(30), [toAda]);
    assert.equal(life.escalation.repeatsLeft, 4);
  });
});

describe('a page that is taken after all', () => {
  function away(): Paging {
    const life = new Paging();
    for (const step of [0, 1]) {
      life.ends(step, 'again', step);
      life.runs(step + 1);
    }
    life.ends(2, 'again', 2);
    life.runs(3);
    return life;
  }

  test('takes the incident back to its step, and later pages are withdrawn', () => {
    const life = away();
    const { entries } = life.ends(0, 'taken', 5);
    assert.equal(
      entries[0]?.text,
      'A page of step 1 of 3 was sent after all: steps 2 to 3 are withdrawn and will run again when they are due',
    );
    assert.deepEqual(life.withdrawn('ada'), [null]);
    const reason = 'a page of step 1 was sent in the meantime';
    // The boss is the admin, too.
    assert.deepEqual([life.withdrawn('lin'), life.withdrawn('boss')], [[reason], [reason, reason]]);
    assert.deepEqual([life.runs(9.9), life.runs(10)], [[], [toLin]]);
    assert.deepEqual(life.withdrawn('lin'), [reason, null]);
    life.ends(1, 'taken', 10);
    assert.deepEqual(life.runs(15), [toBoss]);
    assert.deepEqual(life.wake, 18);
  });

  test('of the last step: only the admins are withdrawn', () => {
    const life = away();
    const { entries } = life.ends(2, 'taken', 5);
    assert.equal(
      entries[0]?.text,
      'A page of step 3 of 3 was sent after all: the policy continues from there',
    );
    assert.deepEqual(life.withdrawn('boss'), [null, 'a page of step 3 was sent in the meantime']);
    assert.deepEqual(entryTypes(life.ends(0, 'taken', 6)), []);
    assert.deepEqual(life.runs(30), []);
  });

  test('a second page of its step changes nothing', () => {
    const life = new Paging([both, byMail('boss')]);
    life.ends(0, 'again', 0, 'ada');
    life.ends(0, 'taken', 0.5, 'lin');
    assert.deepEqual(life.runs(5), [toBoss]);
    const before = life.incident;
    assert.deepEqual(entryTypes(life.ends(0, 'taken', 6, 'ada')), []);
    assert.equal(life.incident, before);
  });

  test('once more, such as a second call, takes back no step whose time had come', () => {
    const life = new Paging();
    life.ends(0, 'taken', 0);
    assert.deepEqual(life.runs(5), [toLin]);
    assert.deepEqual(entryTypes(life.ends(0, 'taken', 5 + second)), []);
    assert.deepEqual(life.withdrawn('lin'), [null]);
    life.ends(1, 'again', 5 + 2 * second);
    assert.deepEqual(life.runs(6 + 2 * second), [toBoss]);
  });

  test('the admins are paged again if later steps fail again without anybody before', () => {
    const life = new Paging([byMail('ada')]);
    life.ends(0, 'again', 0);
    assert.deepEqual(life.runs(1), toAdmins);
    life.ends(0, 'taken', 2);
    life.ends(0, 'again', 4);
    assert.deepEqual(life.runs(5), toAdmins);
  });

  test('also of a step whose time was over before it failed', () => {
    const life = new Paging([byMail('ada', 1), byMail('lin')]);
    assert.deepEqual(life.runs(1), [toLin]);
    life.ends(0, 'taken', 2);
    assert.deepEqual(life.withdrawn('lin'), ['a page of step 1 was sent in the meantime']);
    assert.deepEqual(life.runs(3), [toLin]);
  });

  test('does not undo what somebody asked for', () => {
    const life = new Paging();
    life.ends(0, 'again', 0);
    assert.deepEqual(life.acts({ type: 'escalate', by: eve }, 0.5), [toLin]);
    assert.deepEqual(entryTypes(life.ends(0, 'taken', 1)), []);
    assert.deepEqual(life.withdrawn('lin'), [null]);
  });

  test('while it is muted, its wait begins when the mute ends', () => {
    const life = away();
    life.acts(mute, 4);
    life.ends(0, 'taken', 4.5);
    assert.deepEqual([life.wake, life.runs(20)], [null, []]);
    life.acts({ type: 'unmute', by: eve }, 30);
    assert.deepEqual([life.runs(34.9), life.runs(35)], [[], [toLin]]);
  });

  test('withdrawn steps are forgotten with their cycle', () => {
    const life = away();
    life.ends(0, 'taken', 5);
    life.acts({ type: 'acknowledge', by: eve }, 6);
    assert.deepEqual(life.acts({ type: 'unacknowledge', by: eve }, 7), [toAda]);
    assert.equal(life.escalation.wentBackTo?.length, 0);
  });
});

describe('when pages fail for good', () => {
  test('and no other of the step is left, the next step runs at once', () => {
    const life = new Paging();
    const outcome = life.ends(0, 'failed', 1);
    assert.equal(outcome.entries[0]?.text, 'Every page of step 1 of 3 failed: step 2 runs now');
    assert.deepEqual(outcome.entries[0]?.details, { cycle: 0, step: 0 });
    assert.deepEqual(life.runs(1), [toLin]);
    life.ends(1, 'taken', 1);
    assert.deepEqual([life.runs(5.999), life.runs(6)], [[], [toBoss]]);
  });

  test('the same news twice says and does nothing more', () => {
    const life = new Paging();
    life.ends(0, 'failed', 1);
    const due = life.incident;
    for (const at of [1, 2]) assert.deepEqual(entryTypes(life.ends(0, 'failed', at)), []);
    assert.equal(life.incident, due);
  });

  test('while it is muted the next step waits for the end of the mute', () => {
    const life = new Paging();
    life.acts(mute, 0.5);
    const { entries } = life.ends(0, 'failed', 1);
    const text = 'Every page of step 1 of 3 failed: step 2 runs when the mute ends';
    assert.equal(entries[0]?.text, text);
    assert.deepEqual(entryTypes(life.ends(0, 'failed', 2)), []);
    assert.deepEqual(life.runs(30), []);
    assert.deepEqual(life.acts({ type: 'unmute', by: eve }, 30), [toLin]);
  });

  test('and no step and no page is left, the admins are paged', () => {
    const life = new Paging();
    for (const step of [0, 1]) {
      life.ends(step, 'failed', step);
      life.runs(step);
    }
    const outcome = life.ends(2, 'failed', 3);
    assert.deepEqual([entryTypes(outcome), paged(outcome)], [['nobody_paged'], toAdmins]);
  });

  test('unless a page of the round was taken', () => {
    const life = new Paging();
    life.ends(0, 'taken', 0);
    for (const at of [5, 10]) life.runs(at);
    assert.deepEqual(entryTypes(life.ends(2, 'failed', 11)), []);
  });
});

test('a page is taken when it was sent or a vendor has it, and open while it is tried again', () => {
  const states = ['sent', 'pending', 'failed', 'cancelled'];
  const stateOf = (isWithVendor: boolean) => states.map((one) => pageStateOf(one, isWithVendor));
  assert.deepEqual(stateOf(false), ['taken', 'open', 'over', 'over']);
  assert.deepEqual(stateOf(true), ['taken', 'taken', 'over', 'over']);
});
