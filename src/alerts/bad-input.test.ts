// Whatever tools, templates and relays make of an event, each type reads something bounded of it.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { posted } from '../../test/http-event.ts';
import '../../test/seed.ts';
import {
  aboutSamples,
  jsonIn,
  ofStatus,
  readSample,
  type Sample,
  samples,
  sending,
} from '../../test/tool-samples.ts';
import type { Json, Reading } from './alert.ts';
import { integrationTypes, tools, typeOf } from './index.ts';
import { isMissing } from './reading/template-leftovers.ts';
import { isObject } from './text.ts';

/** Beside the types, what one of them is made of. */
const notTypes: readonly string[] = ['zabbix-media-type.ts'];

test('every declaration is listed, and compiles', () => {
  assert.deepEqual(
    readdirSync(new URL('types/', import.meta.url))
      .filter((name) => /^[\w-]+\.ts$/.test(name) && !notTypes.includes(name))
      .map((name) => name.replace(/\.ts$/, ''))
      .sort(),
    integrationTypes.map(({ slug }) => slug),
  );
  for (const { slug } of tools) assertBounded(readText(slug, '{"a":1}'), slug);
});

function readText(slug: string, text: string, contentType = 'application/json'): Reading {
  const body = new TextEncoder().encode(text);
  const request = { ...posted, path: '/push-events', contentType, body };
  const reading = typeOf(slug)?.read(request, aboutSamples);
  assert.ok(reading, slug);
  return reading;
}

/** A title that people see, a key that an index holds; or a reason for the log. */
function assertBounded(reading: Reading, of: string): void {
  if ('unreadable' in reading) {
    assert.ok(reading.unreadable !== '' && reading.unreadable.length <= 400, of);
    return;
  }
  for (const { title, dedup_key: key, details, ...parts } of reading.alerts) {
    assert.ok(title.trim() !== '' && Array.from(title).length <= 200, `${of}: title ${title}`);
    assert.ok(key.trim() !== '' && key.length <= 500, `${of}: key ${key}`);
    assert.ok(!/[\0\n]/.test(title) && title.isWellFormed() && key.isWellFormed(), of);
    assert.ok(!isMissing(title), `${of}: ${title} is the leftover of a template`);
    assert.ok(JSON.stringify(parts).length < 200_000, of);
  }
  // Silence has a reason, unless there was an empty list to read.
  if (reading.alerts.length === 0 && reading.note !== undefined) assert.notEqual(reading.note, '');
}

/** Names that a tool's declaration has, so that its forms fit now and then. */
const namesOf = new Map(
  tools.map(({ slug, forms }) => {
    const words = JSON.stringify(forms).match(/[A-Za-z_][\w-]*/g) ?? [];
    return [slug, ['title', ...new Set(words)]] as const;
  }),
);

const anyLeaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom<Json>('resolved', 'firing', 'ok', '{{x}}', '[{"a":1}]', '{', 'https://a.test/x'),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

function anyJsonOf(names: readonly string[]): fc.Arbitrary<Json> {
  const { any } = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      anyLeaf as fc.Arbitrary<Json>,
      fc.array(tie('any'), { maxLength: 3 }) as fc.Arbitrary<Json>,
      fc.dictionary(fc.constantFrom(...names), tie('any'), {
        maxKeys: 8,
      }) as fc.Arbitrary<Json>,
    ),
  }));
  return any;
}

const anyHeaders = fc.dictionary(
  fc.constantFrom(...new Set(tools.flatMap(({ headers }) => headers ?? ['x-none']))),
  fc.string({ maxLength: 20 }),
);
const anyPath = fc.constantFrom('/push-events', '/v2/enqueue', '/v2/alerts/a%20b/close', '/x?y=1');

test('whatever JSON of its own names is sent to a type, what it reads is bounded', () => {
  for (const { slug } of tools) {
    const type = typeOf(slug);
    fc.assert(
      fc.property(
        anyJsonOf(namesOf.get(slug) ?? []),
        anyHeaders,
        anyPath,
        (json, headers, path) => {
          const body = new TextEncoder().encode(JSON.stringify(json));
          const request = { ...posted, path, headers, contentType: 'application/json', body };
          const reading = type?.read(request, aboutSamples);
          assert.ok(reading);
          assertBounded(reading, slug);
        },
      ),
      { numRuns: 60 },
    );
  }
});

test('whatever text is sent to a type, what it reads is bounded', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('alert: ', '\n\n', '<?xml version="1.0"?><a b="c">d</a>', 'a=b&c=d&title=%00'),
  );
  const anyType = fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'text/xml');
  fc.assert(
    fc.property(anyText, anyType, (text, contentType) => {
      for (const { slug } of tools) assertBounded(readText(slug, text, contentType), slug);
    }),
    { numRuns: 40 },
  );
});

type Place = readonly (string | number)[];

/** Where the scalars of a body are. */
function leavesOf(json: Json, at: Place = []): readonly Place[] {
  if (Array.isArray(json)) return json.flatMap((one, index) => leavesOf(one, [...at, index]));
  if (isObject(json))
    return Object.entries(json).flatMap(([name, one]) => leavesOf(one, [...at, name]));
  return [at];
}

function replaced(json: Json, [step, ...rest]: Place, by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(json))
    return json.map((one, index) => (index === step ? replaced(one, rest, by) : one));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [
      name,
      name === step ? replaced(one, rest, by) : one,
    ]),
  );
}

const leftovers = [
  ...['<no value>', '[no value]', '(null)', 'undefined', 'None', 'NaN', '{{ alert.id }}'],
  ...['{EVENT.NAME}', '{$MACRO}', `\${id}`, '$EVENT_TITLE', '$HOSTNAME$', '%name%'],
  ...['*UNKNOWN*', '*name*', ''],
];

test('each leftover of a template counts as absent', () => {
  assert.deepEqual(
    leftovers.filter((text) => !isMissing(text)),
    [],
  );
});

const long = 'disk full '.repeat(10_000);
const replacements: readonly Json[] = [...leftovers, null, 7, { a: { b: 'c' } }, [], [[]], long];

/** Bounds the time: of each sample these leaves, spread over it, each by one replacement more. */
const LEAVES = 60;

test('a title of which nothing is seen counts as none', () => {
  const unseen = [
    '\u200b',
    '\ufeff\u200f \u2069',
    '\u00a0\u3164',
    '\u2060\u00ad',
    '\u0007',
    '\u2800',
  ];
  for (const title of unseen) {
    const json = JSON.stringify({ title, summary: 'Disk full', a: 1 });
    const ofEach = { webhook: 'Disk full', grafana: 'Disk full', email: 'Disk full' };
    for (const [slug, want] of Object.entries(ofEach))
      assert.equal(titleIn(slug, json), want, slug);
    assert.equal(titleIn('webhook', `${title}\nDisk full`, 'text/plain'), 'Disk full');
    const annotations = { summary: title, description: 'Disk full' };
    assert.equal(titleIn('prometheus', JSON.stringify([{ annotations }])), 'Disk full');
    const alone = JSON.stringify({ title, message: title, text: title });
    for (const { slug } of tools) {
      const reading = readText(slug, alone);
      for (const alert of 'alerts' in reading ? reading.alerts : [])
        assert.match(alert.title, /[\p{L}\p{N}]/u, slug);
    }
    const mail = { subject: title, from: 'a@b.test', text: 'Disk full', headers: {} };
    const read = typeOf('email')?.read({ source: 'mail', ...mail }, aboutSamples);
    assert.ok(read && 'alerts' in read);
    assert.equal(read.alerts[0]?.title, 'Disk full');
  }
  // Marks around what is seen stay.
  assert.equal(
    titleIn('webhook', JSON.stringify({ title: '\u2067דיסק\u2069' })),
    '\u2067דיסק\u2069',
  );
});

function titleIn(slug: string, text: string, contentType?: string): string | undefined {
  const reading = readText(slug, text, contentType);
  return 'alerts' in reading ? reading.alerts[0]?.title : undefined;
}

test('each leaf of a sample may be anything, and what is read is bounded', () => {
  let turn = 0;
  for (const sample of samples) {
    const json = jsonIn(sample.request);
    const leaves = leavesOf(json);
    const every = Math.max(1, Math.ceil(leaves.length / LEAVES));
    for (const [index, leaf] of leaves.entries()) {
      if (index % every !== 0) continue;
      for (let count = 0; count < 4; count += 1) {
        turn += 1;
        const by = replacements[turn % replacements.length] ?? null;
        const sent = sending(sample, JSON.stringify(replaced(json, leaf, by)));
        assertBounded(readSample(sent), `${sample.file} ${leaf.join('.')}`);
      }
    }
  }
});

/** Of one type, what begins two problems that are called differently. */
const differing: readonly (readonly [Sample, Sample])[] = ofStatus('firing').flatMap((one, index) =>
  ofStatus('firing')
    .slice(index + 1)
    .filter(({ type, problem }) => type === one.type && problem !== one.problem)
    .map((other) => [one, other] as const),
);

/** The key of the first alert. */
function firstOf(sample: Sample): { readonly title: string; readonly key: string } | undefined {
  const reading = readSample(sample);
  const [alert] = 'alerts' in reading ? reading.alerts : [];
  return alert && { title: alert.title, key: alert.dedup_key };
}

test('alerts that are called differently never share a key by a leftover', () => {
  let compared = 0;
  for (const [one, other] of differing) {
    const [json, otherJson] = [jsonIn(one.request), jsonIn(other.request)];
    const both = new Set(leavesOf(otherJson).map(String));
    const places = [[], ...leavesOf(json).filter((leaf) => both.has(String(leaf)))];
    for (const [index, leaf] of places.entries()) {
      const by = leftovers[index % leftovers.length] ?? '';
      const [a, b] = [[one, json] as const, [other, otherJson] as const].map(([sample, of]) =>
        firstOf(
          leaf.length === 0 ? sample : sending(sample, JSON.stringify(replaced(of, leaf, by))),
        ),
      );
      if (a === undefined || b === undefined || a.title === b.title) continue;
      compared += 1;
      assert.notEqual(a.key, b.key, `${one.file} ${other.file} ${leaf.join('.')} ${by}`);
    }
  }
  assert.ok(compared > 500, `${compared}`);
});

/** A word, with what a template left in it. */
const unfilled = [
  'disk-<no value>',
  'disk/{{ host }}',
  'a$HOSTNAME$',
  'x {EVENT.NAME}',
  'k-undefined',
];

test('alerts that are called differently never share a key that is filled in by half', () => {
  let compared = 0;
  for (const [one, other] of differing) {
    const [json, otherJson] = [jsonIn(one.request), jsonIn(other.request)];
    const both = new Set(leavesOf(otherJson).map(String));
    const places = leavesOf(json).filter((leaf) => both.has(String(leaf)));
    for (const [index, leaf] of places.entries()) {
      const by = unfilled[index % unfilled.length] ?? '';
      const [a, b] = [[one, json] as const, [other, otherJson] as const].map(([sample, of]) =>
        firstOf(sending(sample, JSON.stringify(replaced(of, leaf, by)))),
      );
      if (a === undefined || b === undefined || a.title === b.title) continue;
      compared += 1;
      assert.notEqual(a.key, b.key, `${one.file} ${other.file} ${leaf.join('.')} ${by}`);
    }
  }
  assert.ok(compared > 500, `${compared}`);
});

test('numbers beyond 2^53 in a key keep their digits', () => {
  let numbers = 0;
  for (const sample of ofStatus('firing')) {
    const before = firstOf(sample);
    const json = jsonIn(sample.request);
    for (const leaf of leavesOf(json).slice(0, LEAVES)) {
      const keyWith = (written: string) =>
        firstOf(
          sending(
            sample,
            JSON.stringify(replaced(json, leaf, '@here@')).replace('"@here@"', written),
          ),
        )?.key;
      const digits = ['12345678901234567890', '12345678901234567891'];
      const [asText, otherText] = digits.map((each) => keyWith(`"${each}"`));
      if (asText === before?.key || asText === otherText) continue;
      numbers += 1;
      assert.deepEqual(
        digits.map(keyWith),
        [asText, otherText],
        `${sample.file} ${leaf.join('.')}`,
      );
    }
  }
  assert.ok(numbers > 100, `${numbers}`);
});

/** By the list that their messages hold, or as a list of messages. */
const listed: Readonly<Record<string, string | null>> = {
  alertmanager: 'alerts',
  grafana: 'alerts',
  prometheus: null,
  webhook: null,
  pingdom: null,
  'uptime-kuma': null,
  cloudevents: null,
};

test('a body of 5,000 alerts is read whole, and one more is refused', () => {
  for (const [slug, list] of Object.entries(listed)) {
    const textOf = (count: number) => {
      const alerts = Array.from({ length: count }, (_, index) => alertNumbered(index));
      return JSON.stringify(list === null ? alerts : { [list]: alerts });
    };
    const whole = readText(slug, textOf(5_000));
    assert.ok('alerts' in whole, slug);
    assert.equal(new Set(whole.alerts.map((alert) => alert.dedup_key)).size, 5_000, slug);
    const more = readText(slug, textOf(5_001));
    assert.ok('unreadable' in more && more.unreadable.includes('5000'), slug);
  }
});

/** Enough for types to make an alert of it, even if it is of no tool. */
const alertNumbered = (n: number) => ({
  title: `Disk ${n}`,
  summary: `Disk ${n}`,
  status: 'firing',
  labels: { alertname: 'Disk', n: `${n}` },
});
