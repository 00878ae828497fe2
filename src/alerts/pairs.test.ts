// What tools send when a problem begins has the key of what they send when it ends, however it comes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../test/seed.ts';
import {
  alertsIn,
  changedIn,
  jsonIn,
  ofStatus,
  type Pair,
  pairs,
  publishedSamples,
  readSample,
  type Sample,
  sending,
} from '../../test/tool-samples.ts';
import type { AlertEvent, Json } from './alert.ts';
import { sha256 } from './hash.ts';
import { isObject } from './text.ts';

/** The manifest names one key for both; an overload is another problem than being down. */
const otherProblems: readonly string[] = ['hetrixtools/firing-2.json'];

const samePairs = pairs.filter(({ firing }) => !otherProblems.includes(firing.file));

/** Of what these published ones are about, there is no sample of its beginning. */
const alone: readonly string[] = [
  'pagerduty-events-v2/resolved-1.json',
  'opsgenie-alert-api/resolved-2.json',
  'sentry/resolved-2.json',
  'newrelic/resolved-1.json',
  'thousandeyes/resolved-1.json',
  'github/resolved-2.json',
  'github/resolved-3.json',
];

test('each resolved sample has the key of the firing ones of its problem', () => {
  assert.ok(samePairs.length >= 66, `${samePairs.length} pairs`);
  for (const pair of samePairs) assertMeets(pair);
  const paired = new Set(pairs.map(({ resolved }) => resolved.file));
  const others = ofStatus('resolved').filter(({ file }) => !paired.has(file));
  assert.deepEqual(
    others.map(({ file }) => file),
    publishedSamples.length === 0 ? [] : alone,
  );
});

function assertMeets({ firing, resolved }: Pair): void {
  const keys = keysOf(alertsIn(firing), 'trigger');
  const ended = keysOf(alertsIn(resolved), 'resolve');
  assert.ok(ended.length > 0, `${resolved.file} resolves nothing`);
  for (const key of ended)
    assert.ok(keys.includes(key), `${resolved.file}: ${key} is none of ${keys} of ${firing.file}`);
}

const keysOf = (alerts: readonly AlertEvent[], action: AlertEvent['action']) =>
  alerts.filter((alert) => alert.action === action).map((alert) => alert.dedup_key);

type Disguise = (sample: Sample) => Sample;

const formType = 'application/x-www-form-urlencoded';
const textOf = (sample: Sample) => JSON.stringify(jsonIn(sample.request));

/** Ways in which relays change what they pass on; it stays the same event. */
const disguises: Readonly<Record<string, Disguise>> = {
  'wrapped in data': (sample) => sending(sample, `{"data":${textOf(sample)}}`),
  'in a list of one': (sample) => sending(sample, `[${textOf(sample)}]`),
  'in a form': (sample) =>
    sending(sample, `payload=${encodeURIComponent(textOf(sample))}`, formType),
  'in a query': (sample) => sending(sample, `payload=${encodeURIComponent(textOf(sample))}`, ''),
  'in a form in parts': (sample) =>
    sending(
      sample,
      `--x\r\ncontent-disposition: form-data; name="payload"\r\n\r\n${textOf(sample)}\r\n--x--\r\n`,
      'multipart/form-data; boundary=x',
    ),
  'in a form that is not encoded': (sample) =>
    sending(sample, `payload=${textOf(sample)}`, 'text/plain'),
  'as a JSON string': (sample) => sending(sample, JSON.stringify(textOf(sample))),
  'called a plain text': (sample) => sending(sample, textOf(sample), 'text/plain'),
  'called a form': (sample) => sending(sample, textOf(sample), formType),
  'called nothing': (sample) => sending(sample, textOf(sample), ''),
};

/**
 * What is read within what a relay wraps around it: of our own samples, neither a text, nor a list of
 * alerts such as Prometheus itself sends, nor our own form.
 */
const wrappable = samePairs.filter(
  ({ firing }) =>
    publishedSamples.includes(firing) ||
    (isObject(jsonIn(firing.request)) && firing.type.slug !== 'webhook'),
);

for (const [name, disguise] of Object.entries(disguises)) {
  test(`each sample is read alike ${name}`, () => {
    for (const { firing, resolved } of wrappable)
      for (const sample of [firing, resolved])
        assert.deepEqual(
          partsOf(readAs(sample, disguise)),
          partsOf(alertsIn(sample)),
          `${sample.file} ${name}`,
        );
  });
}

const readAs = (sample: Sample, disguise: Disguise) => alertsIn(disguise(sample));

/** What people and rules see; not the details, which show how it came. */
const partsOf = (alerts: readonly AlertEvent[]) => alerts.map(({ details: _, ...parts }) => parts);

/** Whose samples are read by code, which takes the names of Prometheus and snmptrapd as they are. */
const caseSensitive: readonly string[] = [
  ...['alertmanager', 'loki', 'mimir', 'prometheus', 'signoz', 'thanos', 'victoriametrics'],
  'snmptrap',
];

const cases: Readonly<Record<string, (name: string) => string>> = {
  'in capitals': (name) => name.toUpperCase(),
  capitalised: (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
};

for (const [name, rename] of Object.entries(cases)) {
  test(`each resolved sample has the key of the firing ones with names ${name}`, () => {
    const renamed = (sample: Sample) => changedIn(sample, (json) => withNames(json, rename));
    for (const { firing, resolved } of wrappable)
      if (!caseSensitive.includes(firing.type.slug))
        assertMeets({ firing: renamed(firing), resolved: renamed(resolved) });
  });
}

function withNames(json: Json, rename: (name: string) => string): Json {
  if (Array.isArray(json)) return json.map((one) => withNames(one, rename));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, one]) => [rename(name), withNames(one, rename)]),
  );
}

const ROUNDS = 40;
const GONE = 0.06;
const MET = 0.99;

test('each sample has a title and a key, and resolves meet, when fields are gone', (t) => {
  const ofOneTemplate = samePairs.filter(isOfOneTemplate);
  assert.ok(ofOneTemplate.length > samePairs.length / 2);
  const misses = new Map<string, number>();
  let [resolves, met, stateless] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { firing, resolved } of ofOneTemplate) {
      const luck = `${seed} ${round} ${firing.type.slug}`;
      const without = (sample: Sample) => changedIn(sample, (json) => withoutSome(json, luck));
      const keys = alertsLeft(without(firing)).map(({ dedup_key }) => dedup_key);
      const ends = keysOf(alertsLeft(without(resolved)), 'resolve');
      const missing = ends.filter((key) => !keys.includes(key)).length;
      resolves += ends.length;
      met += ends.length - missing;
      if (ends.length === 0) stateless += 1;
      if (missing > 0) misses.set(resolved.file, (misses.get(resolved.file) ?? 0) + missing);
    }
  const share = met / resolves;
  t.diagnostic(`${met} of ${resolves} resolves met, ${(share * 100).toFixed(2)} %`);
  t.diagnostic(`${stateless} of ${ROUNDS * ofOneTemplate.length} had lost their state`);
  t.diagnostic(`missed: ${[...misses].map(([file, count]) => `${file} ${count}`).join(', ')}`);
  assert.ok(share >= MET, `only ${met} of ${resolves} resolves met`);
});

/** Whether both have most of their fields in common: a tool may have several templates. */
function isOfOneTemplate({ firing, resolved }: Pair): boolean {
  const names = namesIn(firing);
  const others = namesIn(resolved);
  const shared = names.filter((name) => others.includes(name)).length;
  return shared * 2 > Math.max(names.length, others.length);
}

function namesIn({ request }: Sample): readonly string[] {
  const json = jsonIn(request);
  return isObject(json) ? Object.keys(json) : [];
}

function alertsLeft(sample: Sample | undefined): readonly AlertEvent[] {
  assert.ok(sample);
  const reading = readSample(sample);
  if ('unreadable' in reading) return [];
  for (const { title, dedup_key } of reading.alerts) {
    assert.ok(title !== '' && title.length <= 400, sample.file);
    assert.ok(dedup_key !== '' && dedup_key.length <= 500, sample.file);
  }
  return reading.alerts;
}

/** The same members are gone in all messages of a type: their template does not have them. */
function withoutSome(json: Json, luck: string, path = ''): Json {
  if (Array.isArray(json)) return json.map((one) => withoutSome(one, luck, `${path}[]`));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name]) => chanceOf(`${luck} ${path}.${name}`) >= GONE)
      .map(([name, one]) => [name, withoutSome(one, luck, `${path}.${name}`)]),
  );
}

const chanceOf = (text: string): number =>
  Number.parseInt(sha256(new TextEncoder().encode(text)).slice(0, 8), 16) / 2 ** 32;
