import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sendingLimits } from '../limits/sending.ts';
import { sampleCodeNotice } from './kinds/code.ts';
import { type IncidentNotice, sampleNotice } from './kinds/incident.ts';
import { pushEditOf, pushMessageOf } from './push.ts';

const contentOf = (...sample: Parameters<typeof sampleNotice>) =>
  pushMessageOf(sampleNotice(...sample)).content;

test('a page says what is wrong, and has buttons that lead to this server', () => {
  assert.deepEqual(contentOf(), {
    title: 'INC-42 Disk full on <db-1>',
    body: 'Incident triggered\nPayments\nP1',
    tag: 'inc-65f000000000000000000042',
    path: '/incidents/42',
    silent: false,
    actions: [
      { action: 'acknowledge', title: 'Acknowledge', path: '/a/k1?do=acknowledge' },
      { action: 'resolve', title: 'Resolve', path: '/a/k1?do=resolve' },
    ],
  });
});

const labels = (content: ReturnType<typeof contentOf>) => content.actions.map(({ title }) => title);

test('an all-clear takes the place of the page, without a sound or a button', () => {
  const { tag, silent, ...content } = contentOf({ kind: 'all_clear' }, { status: 'resolved' });
  assert.deepEqual([tag, silent], ['inc-65f000000000000000000042', true]);
  assert.deepEqual([content.body, content.actions], ['Resolved\nPayments\nP1', []]);
});

test('what has changed takes its place too, and says who did it', () => {
  const at = Temporal.Instant.from('2026-11-21T03:12:00Z');
  const taken = { action: 'Unacknowledged', by: 'Bo', at };
  const { content, ttlSeconds } = pushEditOf(sampleNotice({ taken, stepMinutes: 5 }));
  assert.deepEqual([content.tag, content.silent], ['inc-65f000000000000000000042', true]);
  assert.equal(content.body, 'Unacknowledged by Bo, 03:12 UTC\nPayments\nP1');
  assert.deepEqual(labels(content), ['Acknowledge', 'Resolve']);
  assert.equal(ttlSeconds, 14_400, 'the page must not be the last that a device hears');
  assert.match(pushEditOf(sampleNotice()).content.body, /^Incident triggered/);
});

test('what nobody can do has no button', () => {
  assert.deepEqual(labels(contentOf({}, { status: 'acknowledged' })), ['Resolve']);
  const { links: _links, ...readOnly } = sampleNotice();
  assert.deepEqual(labels(pushMessageOf(readOnly).content), []);
});

test('the code of a device is for its service worker, and stands in no text', () => {
  const notice = sampleCodeNotice();
  const { proof, ...shown } = pushMessageOf(notice).content;
  const { contact_id, code } = notice.proof;
  assert.deepEqual(proof, { contact_id, code });
  assert.equal(JSON.stringify(shown).includes(code), false);
});

const times: readonly (readonly [stepMinutes: number | undefined, seconds: number])[] = [
  [undefined, 14_400],
  [0, 60],
  [5, 300],
  [1_440, 14_400],
];
for (const [stepMinutes, seconds] of times)
  test(`a push service keeps a page ${seconds} s where its step waits ${stepMinutes} min`, () => {
    const change = stepMinutes === undefined ? {} : { stepMinutes };
    assert.equal(pushMessageOf(sampleNotice(change)).ttlSeconds, seconds);
  });

test('whatever an alert says, a push is small enough, and its buttons stay', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2_000 }),
    fc.constantFrom('漢'.repeat(1_000), '"'.repeat(2_000), '\\'.repeat(900)),
  );
  const link = `https://pager.example.com/act/${'a'.repeat(760)}`;
  const links: IncidentNotice['links'] = { acknowledge: link, resolve: link };
  fc.assert(
    fc.property(text, text, text, (title, service, priority) => {
      const content = contentOf({ links }, { title, service, priority });
      const size = Buffer.byteLength(JSON.stringify(content));
      assert.ok(size <= sendingLimits.pushContent, String(size));
      assert.equal(content.actions.length, 2);
      assert.ok(content.title.startsWith('INC-42'));
    }),
  );
});

test('links that leave no room are left out, and the text is sent', () => {
  const link = `https://pager.example.com/act/${'a'.repeat(1_600)}`;
  const content = contentOf({ links: { acknowledge: link, resolve: link } });
  assert.ok(Buffer.byteLength(JSON.stringify(content)) <= sendingLimits.pushContent);
  assert.deepEqual([content.actions, content.title.slice(0, 6)], [[], 'INC-42']);
});
