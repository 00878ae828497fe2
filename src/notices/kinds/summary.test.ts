import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailOf } from '../email.ts';
import { smsOf } from '../sms.ts';
import { speechOf } from '../speech.ts';
import { sampleNotice } from './incident.ts';
import { summary, summaryOf } from './summary.ts';

const page = (number: number, title: string) => sampleNotice({}, { number, title });

test('one SMS names the incidents, as many as fit', () => {
  const pages = summaryOf([page(12, 'Disk full'), page(13, 'No route'), page(14, 'Shop is slow')]);
  assert.equal(
    smsOf(pages, { canReply: true }),
    '3 new incidents: INC-12 Disk full, INC-13 No route, INC-14 Shop is slow',
  );
  const [first, ...more] = Array.from({ length: 30 }, (_, at) => page(at + 1, 'Disk full'));
  assert.ok(first);
  const cut = smsOf(summaryOf([first, ...more]), { canReply: true });
  assert.match(cut, /^30 new incidents: INC-1 Disk full, INC-2 .*\.\.\.$/);
  assert.ok(cut.length <= 160, cut);
});

test('a mail lists them with their services, and links to all incidents', () => {
  const sender = { from: 'Pager <pager@example.com>', domain: 'example.com' };
  const { subject, text } = emailOf(summary.sample(), sender);
  assert.equal(
    subject,
    '3 new incidents: INC-42 Disk full on <db-1>, INC-43 No space left, INC-44 Untitled incident',
  );
  assert.match(text, /^INC-43: No space left \(P1, Payments\)$/m);
  assert.match(text, /^INC-44: Untitled incident \(P1, Shop\)$/m);
  assert.match(text, /^Open incidents: https:\/\/pager\.example\.com\/incidents$/m);
  assert.match(text, /because: step 1 of policy Payments\.$/m);
});

test('those that a later step pages for are not new', () => {
  const later = sampleNotice({ unansweredSteps: 1, why: 'step 2 of policy Payments' });
  const { text } = speechOf(summaryOf([page(12, 'Disk full'), later]), { hasKeys: true });
  assert.match(text, /2 unanswered incidents\./);
});

test('of very many, the first are listed', () => {
  const [first, ...more] = Array.from({ length: 12 }, (_, at) => page(at + 1, 'Disk full'));
  assert.ok(first);
  const words = summary.words(summaryOf([first, ...more]));
  assert.equal(words.facts.length, 10);
  assert.equal(words.details, 'and 2 more');
});

test('it is of use until the first of its steps ends', () => {
  const waiting = (stepMinutes: number) => sampleNotice({ stepMinutes });
  assert.equal(summaryOf([waiting(30), waiting(5), page(12, 'Disk full')]).stepMinutes, 5);
  assert.equal(summaryOf([page(12, 'Disk full')]).stepMinutes, undefined);
});
