// A page goes from contact to contact of its person, in memory and on PostgreSQL.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Report } from '../../src/engine/ports/sending.ts';
import { attemptResult } from '../../src/engine/sending/attempt-result.ts';
import type { ReportedDelivery } from '../../src/engine/sending/channel.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import { evaluateNotice } from '../../src/engine/sending/evaluate-notice.ts';
import type { Receipt } from '../../src/engine/sending/receipt.ts';
import { recordAttempts } from '../../src/engine/sending/record-attempts.ts';
import type { Incident } from '../../src/incidents/incident.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  buildIncident,
  buildIntent,
  inMemory,
  inTransaction,
  type LedgerFixture,
  onPostgres,
  save,
} from './ledger-fixture.ts';

const [first, second, third] = ['+4900001111', '+4900002222', '+4900003333'] as const;
const reportedBy = { connectionId: 'c'.repeat(24), vendorId: 'SM1' };
const handedOver: ReportedDelivery = {
  outcome: 'handed_over',
  ...reportedBy,
  receiptWithinSeconds: 60,
};
const refused = (reason: string): ReportedDelivery => ({ outcome: 'failed', reason });
const silent: ReportedDelivery = { outcome: 'unconfirmed', reason: 'no receipt arrived' };

class Page {
  readonly fixture: LedgerFixture;
  readonly incident: Incident;

  private constructor(fixture: LedgerFixture, incident: Incident) {
    this.fixture = fixture;
    this.incident = incident;
  }

  /** To Ada by SMS, due at noon, who has these numbers. */
  static async to(fixture: LedgerFixture, numbers: readonly string[], step = 0): Promise<Page> {
    await fixture.setNumbers(numbers);
    const incident = buildIncident(fixture);
    const [address = ''] = numbers;
    const key = `${incident.id}/0/${step}/sms/ada`;
    const own = { key, step, channel: 'sms', address, user_id: fixture.seeded.ada };
    await save(fixture, { opened: [incident], intents: [buildIntent(incident, own)] });
    return new Page(fixture, incident);
  }

  /** Undefined: it is not due, or not wanted any more. */
  async claim(now = noon): Promise<Claimed | undefined> {
    const leaseUntil = now.add({ minutes: 1 });
    const request = { now, leaseUntil, limit: 9, busy: [], perRecipient: 9 };
    const at = { now, limitReached: false, hardAlertLimit: false };
    const [claimed] = await inTransaction(this.fixture, (tx) =>
      tx.claim(request, (one) => (one.channel === 'sms' ? evaluateNotice(one, at) : null)),
    );
    return claimed;
  }

  async ends(claimed: Claimed, delivery: ReportedDelivery, now = noon): Promise<void> {
    const leaseUntil = now.add({ minutes: 1 });
    const result = attemptResult(claimed, delivery, { now, random: () => 0, leaseUntil });
    await inTransaction(this.fixture, (tx) => recordAttempts(tx, [result], now));
  }

  /** Claims it, and records how the attempt ends; answers the address that it went to. */
  async attempt(delivery: ReportedDelivery): Promise<string> {
    const claimed = await this.claim();
    assert.ok(claimed);
    await this.ends(claimed, delivery);
    return claimed.address;
  }

  /** Of the pages of its round. */
  async states(): Promise<readonly string[]> {
    const rounds = await inTransaction(this.fixture, (tx) => tx.roundPages([this.incident], noon));
    return (rounds.get(this.incident.id) ?? []).map(({ state }) => state);
  }

  report({ organization_id, key, attempt }: Claimed, state: Receipt['state']): Promise<boolean> {
    const receipt = { state, reason: '', blame: null };
    const report: Report = { organization_id, key, attempt, reportedBy, receipt };
    return inTransaction(this.fixture, (tx) => tx.recordReceipt(report, noon));
  }
}

type Case = (fixture: LedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'what one number does not take goes on at the next, at once'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    assert.equal(await page.attempt(refused('no such number')), first);
    const again = await page.claim();
    assert.deepEqual([again?.address, again?.attempt], [second, 2]);
    assert.deepEqual(again?.tried, [
      { address: first, reason: 'no such number', isUnconfirmed: false, attempts: 1 },
    ]);
    assert.match(again.recipient_key, /^sms /);
    assert.deepEqual(await fixture.entryTexts(), [
      'The page to Ada by SMS did not arrive at …1111: no such number; …2222 is tried next',
    ]);
  },

  async 'also of a later step, and waits there for earlier ones as if it was not tried yet'(
    fixture,
  ) {
    const page = await Page.to(fixture, [first, second], 1);
    assert.equal(await page.attempt(refused('no such number')), first);
    await save(fixture, { intents: [buildIntent(page.incident)] });
    const earlier = await page.claim();
    assert.equal(earlier?.channel, 'email');
    assert.equal(await page.claim(noon.add({ seconds: 9 })), undefined);
    const again = await page.claim(noon.add({ seconds: 10 }));
    assert.equal(again?.address, second);
  },

  async 'and pages of later steps wait for it there'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    const claimed = await page.claim();
    assert.ok(claimed);
    const key = `${page.incident.id}/0/1/email/lin`;
    await save(fixture, { intents: [buildIntent(page.incident, { key, step: 1 })] });
    await page.ends(claimed, refused('no such number'));
    const again = await page.claim();
    assert.equal(again?.address, second);
    assert.equal(await page.claim(), undefined);
    await page.ends(again, { outcome: 'no_answer', reason: 'timed out' });
    assert.equal((await page.claim())?.key, key);
  },

  async 'answers that are lost count at the number where they are lost'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    const lost: ReportedDelivery = {
      outcome: 'no_answer',
      reason: 'timed out',
      maybeTaken: true,
    };
    const counts: (readonly [string, number | undefined])[] = [];
    for (let nth = 0; nth < 5; nth += 1) {
      const now = noon.add({ minutes: 11 * nth });
      const claimed = await page.claim(now);
      assert.ok(claimed);
      counts.push([claimed.address, claimed.lostAnswers]);
      await page.ends(claimed, lost, now);
    }
    assert.deepEqual(counts, [
      [first, undefined],
      [first, 1],
      [first, 2],
      [first, 3],
      [second, undefined],
    ]);
  },

  async 'an attempt under which nothing was requested counts for nothing'(fixture) {
    const page = await Page.to(fixture, [first]);
    const withheld: ReportedDelivery = { outcome: 'withheld', reason: 'no turn', forSeconds: 30 };
    for (let nth = 0; nth < 3; nth += 1) {
      const seconds = 30 * nth;
      const claimed = await page.claim(noon.add({ seconds }));
      assert.ok(claimed);
      assert.equal(claimed.attempt, 1);
      await page.ends(claimed, withheld, noon.add({ seconds }));
      assert.equal(await page.claim(noon.add({ seconds: seconds + 29 })), undefined);
    }
    assert.deepEqual(await fixture.entryTexts(), []);
    const now = noon.add({ seconds: 90 });
    const lost = await page.claim(now);
    const again = await page.claim(now.add({ minutes: 1 }));
    assert.ok(lost && again);
    // Another server has claimed it since.
    await page.ends(lost, withheld, now);
    assert.deepEqual([lost.attempt, again.attempt], [1, 2]);
    await page.ends(again, handedOver, now.add({ minutes: 1 }));
    assert.equal((await page.claim(now.add({ minutes: 3 })))?.attempt, 3);
  },

  async 'whoever was never sent a page is sent no all-clear'(fixture) {
    const page = await Page.to(fixture, [first]);
    const claimed = await page.claim();
    assert.ok(claimed);
    await page.ends(claimed, { outcome: 'withheld', reason: 'no turn', forSeconds: 30 });
    const end: Incident = { ...page.incident, status: 'resolved', resolved_at: noon };
    await save(fixture, { changed: [end], allClear: [end] });
    assert.equal(await page.claim(later(10)), undefined);
  },

  async 'a page that waits for its turn until the end is followed by no all-clear'(fixture) {
    for (const isSentBefore of [false, true]) {
      const page = await Page.to(fixture, [isSentBefore ? second : first]);
      if (isSentBefore) await page.attempt({ outcome: 'no_answer', reason: 'no answer' });
      const now = later(1);
      const claimed = await page.claim(now);
      assert.ok(claimed);
      const end: Incident = { ...page.incident, status: 'resolved', resolved_at: noon };
      await save(fixture, { changed: [end], allClear: [end] }, now);
      const withheld: ReportedDelivery = {
        outcome: 'withheld',
        reason: 'it is over',
        forSeconds: 0,
      };
      await page.ends(claimed, withheld, now);
      assert.equal((await page.claim(later(10)))?.kind, isSentBefore ? 'all_clear' : undefined);
    }
  },

  async 'attempts at one number count for nothing at the next'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    const claimed = await page.claim();
    assert.ok(claimed);
    await page.ends(claimed, handedOver);
    await page.report(claimed, 'unanswered');
    const again = await page.claim(later(1));
    assert.equal(again?.earlier.length, 1);
    await page.ends(again, refused('no answer'));
    const other = await page.claim(later(1));
    assert.deepEqual([other?.address, other?.earlier], [second, []]);
    assert.ok(other);
    await page.ends(other, handedOver);
    await page.report(other, 'unanswered');
    // For the first time there: it is called again after a minute.
    assert.equal((await fixture.ledger.nextNotice())?.toString(), later(1).toString());
  },

  async 'the contacts count that the person has then'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    const claimed = await page.claim();
    assert.ok(claimed);
    await fixture.setNumbers([third, first]);
    await page.ends(claimed, refused('busy'));
    assert.equal(await page.attempt(refused('switched off')), third);
    assert.equal(await page.claim(), undefined);
  },

  async 'without another contact it has failed, and all that were tried are named'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    await page.attempt(refused('busy'));
    assert.equal(await page.attempt(refused('switched off')), second);
    assert.deepEqual((await fixture.entryTexts()).slice(1, 2), [
      'The page to Ada by SMS failed permanently: busy at …1111; switched off at …2222',
    ]);
    assert.deepEqual(await page.states(), ['over']);
  },

  async 'what may have arrived somewhere has not failed'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    await page.attempt(silent);
    await page.attempt(refused('busy'));
    assert.deepEqual(await fixture.entryTexts(), [
      'The page to Ada by SMS was sent to …1111, but nothing confirms that it arrived: no receipt arrived; …2222 is tried next',
      'The page to Ada by SMS was sent, but nothing confirms that it arrived: no receipt arrived at …1111; busy at …2222',
    ]);
    assert.deepEqual(await page.states(), ['taken']);
  },

  async 'a late confirmation from the first number ends it'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    const claimed = await page.claim();
    assert.ok(claimed);
    await page.ends(claimed, handedOver);
    const again = await page.claim(later(1));
    assert.ok(again);
    await page.ends(again, silent);
    assert.equal(await page.report(claimed, 'delivered'), true);
    assert.equal(await page.claim(later(2)), undefined);
  },

  async 'once somebody has acknowledged, no other number is tried'(fixture) {
    const page = await Page.to(fixture, [first, second]);
    await page.attempt(refused('busy'));
    await save(fixture, { changed: [{ ...page.incident, status: 'acknowledged' }] });
    assert.equal(await page.claim(), undefined);
    const [, text] = await fixture.entryTexts();
    assert.match(text ?? '', /by SMS is not retried: the incident is acknowledged$/);
  },

  async 'a result that is recorded twice goes on once'(fixture) {
    const page = await Page.to(fixture, [first, second, third]);
    const claimed = await page.claim();
    assert.ok(claimed);
    await page.ends(claimed, refused('busy'));
    const again = await page.claim();
    await page.ends(claimed, refused('busy'));
    assert.equal(again?.address, second);
    assert.equal(await page.claim(), undefined);
    assert.deepEqual(await fixture.entryTypes(), ['notice_retry']);
  },
};

const fixtures: readonly (readonly [string, () => Promise<LedgerFixture>])[] = [
  ['in memory', inMemory],
  ...(await databases()).map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of fixtures)
  describe(name, () => {
    for (const [title, holds] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await open();
        await holds(fixture);
      });
  });
