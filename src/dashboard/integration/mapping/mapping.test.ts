import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event } from '../integration.ts';
import { placesIn } from './body-places.ts';
import { countTexts } from './count-text.ts';
import { cleaned, type Form, formsIn, hasMore, isShowable, withChange } from './mapping.ts';
import { isChanged, isReadAnew, rowsOf, type TriedEvent, valueIn } from './trial.ts';

const form: Form = {
  title: ['check'],
  key: [['id'], ['host', 'check']],
  state: [{ at: ['now'], trigger: 'ko', acknowledge: 'seen' }],
};

test('a field changes the first form, and what no field shows stays', () => {
  const other: Form = { title: ['other'] };
  assert.deepEqual(withChange([form, other], { title: undefined, name: ['host'] }), [
    { key: form.key, state: form.state, name: ['host'] },
    other,
  ]);
  assert.deepEqual(withChange([], { title: ['a'] }), [{ title: ['a'] }]);
});

test('what is blank is not sent', () => {
  const blank: Form = {
    title: [' ', 'a'],
    name: [''],
    key: [['', 'id']],
    when: [],
    state: [{ at: [''], trigger: '' }],
  };
  assert.deepEqual(cleaned([blank]), [{ title: ['a'], key: [['id']] }]);
  assert.deepEqual(cleaned([{ title: [''] }]), []);
  assert.deepEqual(cleaned([form]), [form]);
});

test('whether fields show all of a mapping', () => {
  const cases: readonly (readonly [readonly Form[], boolean])[] = [
    [[], false],
    [[{ title: ['a'], key: [['b']], state: [{ at: ['c'], trigger: 'x' }] }], false],
    [[{ title: ['a'] }, { title: ['b'] }], true],
    [[{ key: [['a'], ['b']] }], true],
    [[{ state: [{ at: ['c'], acknowledge: 'x' }] }], true],
    [[{ each: 'alerts', title: ['a'] }], true],
  ];
  for (const [forms, more] of cases) assert.equal(hasMore(forms), more, JSON.stringify(forms));
});

test('JSON is taken alone and as the API answers it', () => {
  assert.deepEqual(formsIn(JSON.stringify([form])), [form]);
  assert.deepEqual(formsIn(JSON.stringify({ revision: 3, forms: [form] })), [form]);
  for (const text of ['[{', '3', '{}', 'null']) assert.equal(formsIn(text), null, text);
});

test('fields show only what has the shape of a form', () => {
  const severity = { at: ['level'], sev1: 'bad' };
  for (const one of [form, {}, { ...form, severity }]) assert.ok(isShowable([one, 3]));
  assert.ok(isShowable([]));
  const odd = [3, { title: 'a' }, { key: ['a'] }, { state: [{}] }, { severity: ['a'] }];
  for (const one of odd) assert.ok(!isShowable([one]), JSON.stringify(one));
});

test('the places of a body, each in the notation', () => {
  const event = (body: string, more: Partial<Event> = {}): Event => ({
    id: '1',
    received_at: '2026-11-21T03:00:00Z',
    source: 'http',
    path: '/',
    body,
    body_encoding: 'utf-8',
    outcome: 'opened',
    ...more,
  });
  const body = { a: { 'b.c': 1, d: [{ e: 'x' }] }, 'host name': true, none: null };
  assert.deepEqual(placesIn(event(JSON.stringify([body]))), [
    { place: 'a["b.c"]', value: '1' },
    { place: 'a.d[0].e', value: 'x' },
    { place: 'host name', value: 'true' },
  ]);
  assert.deepEqual(placesIn(event('no json')), []);
  assert.deepEqual(placesIn(event('AAAA', { body_encoding: 'base64' })), []);
  assert.deepEqual(
    placesIn(event('', { source: 'mail' })).map(({ place }) => place),
    ['subject', 'from', 'text'],
  );
});

const alert = { action: 'trigger', dedup_key: 'k', title: 't' } as const;
const tried: TriedEvent = {
  event_id: '1',
  received_at: '2026-11-21T03:00:00Z',
  now: { alerts: [alert] },
  proposed: { alerts: [{ ...alert, dedup_key: 'id' }], note: 'odd' },
  places: [{ at: 'forms[0].title[0]', place: 'check', value: null }],
};

test('what an event would be read as is compared part by part', () => {
  assert.deepEqual(
    rowsOf(tried).map((row) => [row.part, row.now, row.proposed, isChanged(row)]),
    [
      ['title', 't', 't', false],
      ['action', 'trigger', 'trigger', false],
      ['dedup_key', 'k', 'id', true],
      ['note', undefined, 'odd', true],
    ],
  );
  assert.ok(isReadAnew(tried));
  assert.ok(!isReadAnew({ ...tried, proposed: tried.now }));
});

test('what stands at a place is known as long as the place is the one that was tried', () => {
  const at = 'forms[0].title[0]';
  assert.equal(valueIn(tried, { at, place: 'check' }), null);
  assert.equal(valueIn(tried, { at, place: 'chec' }), undefined);
  assert.equal(valueIn(undefined, { at, place: 'check' }), undefined);
});

test('the counts are sentences', () => {
  const counts = (resolves: number, met: number, keys: number) => ({
    resolves,
    resolves_met: met,
    keys,
    has_one_key: false,
  });
  const cases = [
    {
      now: counts(4, 1, 9),
      proposed: counts(4, 3, 2),
      text: '3 of 4 recoveries match their problem (now 1). 2 different keys (now 9).',
    },
    {
      now: counts(0, 0, 2),
      proposed: counts(1, 1, 1),
      text: '1 of 1 recovery matches its problem (now none). 1 different key (now 2).',
    },
    {
      now: counts(2, 1, 2),
      proposed: counts(0, 0, 2),
      text: 'No event would be a recovery (now 1 of 2). 2 different keys (now 2).',
    },
  ];
  for (const { text, ...trial } of cases) assert.equal(countTexts(trial).join(' '), text);
});
