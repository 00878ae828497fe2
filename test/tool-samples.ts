// What tools send, with what has to be made of it: the samples of our own, and those of real tools where
// somebody has them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type {
  About,
  AlertEvent,
  HttpRequest,
  Json,
  JsonObject,
  Reading,
} from '../src/alerts/alert.ts';
import { contentOf } from '../src/alerts/body/content.ts';
import { integrationTypes } from '../src/alerts/index.ts';
import type { IntegrationType } from '../src/alerts/integration-type.ts';
import { isObject } from '../src/alerts/text.ts';
import { posted } from './http-event.ts';
import { published } from './published.ts';
import { ownSamples } from './samples/own-samples.ts';
import type { OwnSample } from './samples/sample.ts';

export type Sample = {
  readonly file: string;
  readonly type: IntegrationType;
  /** `firing`, `resolved`, or anything else. */
  readonly status: string;
  /** Of its problem; a title where the manifest names no key. */
  readonly problem: string;
  readonly request: HttpRequest;
};

type Entry = {
  readonly file: string;
  readonly contentType: string;
  readonly request?: { method?: string; path?: string; headers?: Record<string, string> };
  readonly expect: { status?: string; title?: string; dedupKey?: string | null };
};

export const aboutSamples: About = {
  receivedAt: Temporal.Instant.from('2026-11-21T02:59:20Z'),
  integrationName: 'Samples',
};

/** Of real tools; none where nobody has them. */
export const publishedSamples: readonly Sample[] = readPublished();

function readPublished(): readonly Sample[] {
  const manifest = published('payloads/manifest.json');
  if (manifest === null) return [];
  // The manifest is ours; whoever changes its shape meets the tests of every sample.
  const { entries } = JSON.parse(readFileSync(manifest, 'utf8')) as { entries: Entry[] };
  return entries.flatMap((entry) => {
    const type = integrationTypes.find(({ slug }) => entry.file.startsWith(`${slug}/`));
    if (type === undefined || entry.file.endsWith('.eml')) return [];
    return [publishedSample(entry, type, readFileSync(new URL(entry.file, manifest)))];
  });
}

function publishedSample(
  { file, contentType, request, expect }: Entry,
  type: IntegrationType,
  body: Uint8Array,
): Sample {
  const { method = 'POST', path: address = '/push-events', headers = {} } = request ?? {};
  const [path = '', query = ''] = address.split('?');
  const { status = '', title = '', dedupKey } = expect;
  return {
    file,
    type,
    status,
    problem: dedupKey || title,
    request: { ...posted, method, path, query, headers, contentType, body },
  };
}

const statuses = { trigger: 'firing', resolve: 'resolved', acknowledge: 'acknowledged' } as const;

/** All that come by HTTP. */
export const samples: readonly Sample[] = [
  ...publishedSamples,
  ...integrationTypes.flatMap((type) =>
    (ownSamples[type.slug]?.sent ?? []).map((sample) => ownSample(type, sample)),
  ),
];

export function ownSample(type: IntegrationType, sample: OwnSample): Sample {
  const { what, body, reads, path = '/push-events', query = '', headers = {} } = sample;
  const { contentType = 'application/json' } = sample;
  const actions = new Set(reads.map(([action]) => action));
  const [action] = actions;
  const keys = reads.map(([, key]) => key);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    file: `${type.slug}: ${what}`,
    type,
    status: action === undefined || actions.size > 1 ? 'other' : statuses[action],
    problem: keys.join(', '),
    request: {
      ...posted,
      path,
      query,
      headers,
      contentType,
      body: new TextEncoder().encode(text),
    },
  };
}

export type Pair = { readonly firing: Sample; readonly resolved: Sample };

/** Each resolved sample with each firing one of the same problem. */
export const pairs: readonly Pair[] = ofStatus('resolved').flatMap((resolved) =>
  ofStatus('firing')
    .filter(({ type, problem }) => type === resolved.type && problem === resolved.problem)
    .map((firing) => ({ firing, resolved })),
);

export function ofStatus(status: 'firing' | 'resolved'): readonly Sample[] {
  return samples.filter((sample) => sample.status === status);
}

export const readSample = ({ type, request }: Pick<Sample, 'type' | 'request'>): Reading =>
  type.read(request, aboutSamples);

export function alertsIn(sample: Sample): readonly AlertEvent[] {
  const reading = readSample(sample);
  assert.ok('alerts' in reading, `${sample.file} ${JSON.stringify(reading)}`);
  return reading.alerts;
}

/** What the body of a request is, as JSON. */
export function jsonIn({ body, contentType }: HttpRequest): Json {
  const content = contentOf(body, contentType);
  if ('json' in content) return content.json;
  return 'text' in content ? content.text : null;
}

/** The sample with a body that was changed; within the text that an envelope carries. */
export function changedIn(sample: Sample, change: (json: Json) => Json): Sample {
  const json = jsonIn(sample.request);
  return sending(
    sample,
    JSON.stringify(isEnveloped(json) ? inEnvelope(json, change) : change(json)),
  );
}

const isEnveloped = (json: Json): json is JsonObject =>
  isObject(json) && typeof json['TopicArn'] === 'string' && /^\s*\{/.test(String(json['Message']));

const inEnvelope = (envelope: JsonObject, change: (json: Json) => Json): JsonObject => ({
  ...envelope,
  Message: JSON.stringify(change(JSON.parse(String(envelope['Message'])))),
});

/** The sample with another body. */
export function sending(
  sample: Sample,
  text: string,
  contentType: string = 'application/json',
): Sample {
  const body = new TextEncoder().encode(text);
  return { ...sample, request: { ...sample.request, contentType, body } };
}
