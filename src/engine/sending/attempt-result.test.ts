import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Life, later, noon } from '../../../test/incident-life.ts';
import { attemptResult } from './attempt-result.ts';
import { backoffSeconds, webhookBackoffSeconds } from './backoff.ts';
import type { Delivery, ReportedDelivery } from './channel.ts';

import type { ClaimedIncidentNotice } from './claimed.ts';

const claimed = (attempt: number, step = 0): ClaimedIncidentNotice => ({
  about: 'incident',
  step,
  organization_id: 'org',
  key: 'key',
  kind: 'page',
  channel: 'email',
  recipient_key: 'email ada',
  address: 'ada@example.test',
  recipient: 'Ada',
  mention: null,
  why: 'Step 1',
  cycle: 0,
  user_id: 'ada',
  attempt,
  earlier: [],
  tried: [],
  created_at: noon,
  incident: new Life().incident,
  serviceName: 'Shop',
  organizationName: 'Example',
  role: null,
  timezone: 'Etc/UTC',
  language: 'en',
});

const day = 24 * 60;
const refused: Delivery = { outcome: 'refused', blame: 'connection', reason: 'wrong keys' };
const retry: Delivery = { outcome: 'no_answer', reason: 'busy' };

describe('what an answer means for the notice', () => {
  const rows: readonly {
    readonly title: string;
    readonly delivery: ReportedDelivery;
    readonly attempt: number;
    readonly at: number;
    readonly becomes: readonly [string, number | null, string | null];
  }[] = [
    {
      title: 'delivered is sent',
      delivery: { outcome: 'delivered' },
      attempt: 1,
      at: 0,
      becomes: ['sent', null, 'notice_sent'],
    },
    {
      title: 'failed is for good',
      delivery: { outcome: 'failed', reason: 'no such user' },
      attempt: 1,
      at: 0,
      becomes: ['failed', null, 'notice_failed'],
    },
    {
      title: 'a refusal is tried again, for whoever is to blame may mend it',
      delivery: refused,
      attempt: 1,
      at: 0,
      becomes: ['pending', 0.5, 'notice_retry'],
    },
    {
      title: 'the first retry comes within a second',
      delivery: retry,
      attempt: 1,
      at: 0,
      becomes: ['pending', 0.5, 'notice_retry'],
    },
    {
      title: 'later ones come twice a minute, without a word',
      delivery: retry,
      attempt: 50,
      at: 0,
      becomes: ['pending', 30, null],
    },
    {
      title: 'a receiver that says when is asked then',
      delivery: { ...retry, retryAfterSeconds: 300 },
      attempt: 1,
      at: 0,
      becomes: ['pending', 300, 'notice_retry'],
    },
    {
      title: 'what was not requested is decided anew, without a word',
      delivery: { outcome: 'withheld', reason: 'waits', forSeconds: 7 },
      attempt: 1,
      at: 0,
      becomes: ['pending', 7, null],
    },
    {
      title: 'after a day it is given up',
      delivery: retry,
      attempt: 2_000,
      at: day,
      becomes: ['failed', null, 'notice_failed'],
    },
  ];
  for (const { title, delivery, attempt, at, becomes } of rows)
    test(title, () => {
      const now = later(at);
      const result = attemptResult(claimed(attempt), delivery, { now, random: () => 0 });
      const { state, wakeAt, entry } = result;
      const wait = wakeAt && (wakeAt.epochMilliseconds - now.epochMilliseconds) / 1_000;
      assert.deepEqual([state, wait, entry?.type ?? null], becomes);
    });
});

describe('a message that its vendor may have taken without an answer', () => {
  const lost: Delivery = { ...retry, maybeTaken: true };
  const after = (lostAnswers: number, delivery: Delivery = lost) => {
    const notice = { ...claimed(lostAnswers + 1), lostAnswers };
    return attemptResult(notice, delivery, { now: noon, random: () => 0 });
  };
  const waitOf = ({ wakeAt }: ReturnType<typeof after>) => wakeAt?.since(noon).total('seconds');

  test('is sent again at once, then after a minute and after ten, and then not any more', () => {
    const results = [0, 1, 2, 3].map((answers) => after(answers));
    assert.deepEqual(results.map(waitOf), [0.5, 60, 600, undefined]);
    assert.deepEqual(
      results.map(({ lostAnswers }) => lostAnswers),
      [1, 2, 3, 4],
    );
    const [end] = results.slice(-1);
    assert.equal(end?.state, 'failed');
    assert.match(end?.entry?.text ?? '', /was abandoned: .*sent 4 times and may have arrived$/);
  });

  test('is tried as soon as any other while nothing is sent', () => {
    const result = after(2, retry);
    assert.deepEqual([waitOf(result), result.lostAnswers], [2, undefined]);
  });
});

describe('what the timeline says of what was handed over', () => {
  const elsewhere = {
    address: '+4915112345432',
    attempt: 2,
    tried: [{ address: '+4915112345678', reason: 'busy', isUnconfirmed: false, attempts: 1 }],
  };
  const named = { connectionName: 'Twilio Paris' };
  const before = { before: 'nothing was reported for the previous attempt' };
  const end = 'and its receipt is pending';
  const rows: readonly (readonly [Partial<ClaimedIncidentNotice>, object, string])[] = [
    [{}, {}, `was sent, ${end}`],
    [{}, named, `was sent to Twilio Paris, ${end}`],
    [elsewhere, named, `was sent to Twilio Paris for …5432, ${end}`],
    [
      elsewhere,
      { ...named, ...before },
      `was sent to Twilio Paris for …5432 again, because ${before.before}, ${end}`,
    ],
  ];
  for (const [fields, more, text] of rows)
    test(text, () => {
      const delivery: ReportedDelivery = {
        outcome: 'handed_over',
        connectionId: 'c1',
        vendorId: 'CA1',
        receiptWithinSeconds: 60,
        ...more,
      };
      const at = { now: noon, random: () => 0 };
      const { entry, reportedBy } = attemptResult({ ...claimed(1), ...fields }, delivery, at);
      assert.equal(entry?.text, `The page to Ada by e-mail ${text}`);
      const { connectionName } = more as { connectionName?: string };
      assert.equal(reportedBy?.connectionName, connectionName);
    });
});

describe('a receiver that asks for an hour', () => {
  const overloaded: Delivery = { ...retry, retryAfterSeconds: 3_600 };
  const waitOf = (notice: ClaimedIncidentNotice) => {
    const { wakeAt } = attemptResult(notice, overloaded, { now: noon, random: () => 0 });
    return wakeAt?.since(noon).total('seconds');
  };
  const rows: readonly (readonly [string, ClaimedIncidentNotice, number])[] = [
    ['is asked again when the next step fires', claimed(1), 300],
    ['after ten minutes when no step comes after', claimed(1, 1), 600],
    ['and so for an all-clear', { ...claimed(1), kind: 'all_clear' }, 600],
    ['or for a page of no step', { ...claimed(1), step: -1 }, 600],
  ];
  for (const [title, notice, seconds] of rows)
    test(title, () => assert.equal(waitOf(notice), seconds));
});

test('what a mail server answered names the address of a person to nobody', () => {
  const means = { now: noon, random: () => 0.5 };
  const failed = attemptResult(
    claimed(1),
    { outcome: 'failed', reason: '550 <ada@example.test>: unknown user' },
    means,
  );
  assert.equal(failed.reason, '550 <a…@example.test>: unknown user');
  const sent = attemptResult(
    claimed(1),
    { outcome: 'delivered', answer: '250 ada@example.test' },
    means,
  );
  assert.equal(sent.answer, '250 a…@example.test');
  assert.doesNotMatch(JSON.stringify([failed.entry, sent.entry]), /ada@/);
});

test('a page that a mute held for a day is tried for a while all the same', () => {
  const stateAfter = (attempt: number) =>
    attemptResult(claimed(attempt), retry, { now: later(2 * day), random: () => 0 }).state;
  assert.deepEqual([1, 19, 20].map(stateAfter), ['pending', 'pending', 'failed']);
});

test('waits double up to a minute, half of each by luck', () => {
  const range = (attempt: number) => [
    backoffSeconds(attempt, () => 0),
    backoffSeconds(attempt, () => 1),
  ];
  assert.deepEqual([1, 2, 3, 7, 1_000].map(range), [
    [0.5, 1],
    [1, 2],
    [2, 4],
    [30, 60],
    [30, 60],
  ]);
});

test('a webhook is tried eight times in about a day, a tenth of each wait by luck', () => {
  const attempts = [1, 2, 3, 4, 5, 6, 7, 8];
  const waits = attempts.map((attempt) => webhookBackoffSeconds(attempt, () => 1));
  assert.deepEqual(waits, [5, 300, 1_800, 7_200, 18_000, 25_200, 32_400, null]);
  const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600;
  assert.ok(hours > 23 && hours < 24, `${hours}`);
  assert.equal(
    webhookBackoffSeconds(1, () => 0),
    4.5,
  );
});

test('a webhook that failed eight times is given up, however young its notice is', () => {
  const to = (attempt: number) => ({ ...claimed(attempt), channel: 'webhook' });
  const result = (attempt: number, at = 0) =>
    attemptResult(to(attempt), retry, { now: later(at), random: () => 1 });
  assert.deepEqual(result(7).wakeAt, later(32_400 / 60));
  assert.deepEqual([result(8).state, result(8).wakeAt], ['failed', null]);
  assert.equal(result(7, day).state, 'pending');
});
