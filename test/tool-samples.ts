// What real tools send, with what is to be made of it: the samples of ../shared/payloads.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
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
import { skipped } from './skipped.ts';

const folder = new URL('../../shared/payloads/', import.meta.url);
const manifest = new URL('manifest.json', folder);

export type Sample = {
  readonly file: string;
  readonly type: IntegrationType;
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

export const skipSamples = (): string | false =>
  existsSync(manifest) ? false : skipped('samples of what tools send', 'put ../shared beside');

export const aboutSamples: About = {
  receivedAt: Temporal.Instant.from('2026-11-21T02:59:20Z'),
  integrationName: 'Samples',
};

/** Those that come by HTTP, of the types that there are; none where ../shared is absent. */
export const samples: readonly Sample[] = existsSync(manifest) ? readSamples() : [];

function readSamples(): readonly Sample[] {
  // The manifest is ours; whoever changes its shape meets the tests of every sample.
  const { entries } = JSON.parse(readFileSync(manifest, 'utf8')) as { entries: Entry[] };
  return entries.flatMap((entry) => {
    const type = integrationTypes.find(({ slug }) => entry.file.startsWith(`${slug}/`));
    return type === undefined || entry.file.endsWith('.eml') ? [] : [sampleOf(entry, type)];
  });
}

function sampleOf({ file, contentType, request, expect }: Entry, type: IntegrationType): Sample {
  const { method = 'POST', path: address = '/push-events', headers = {} } = request ?? {};
  const [path = '', query = ''] = address.split('?');
  const { status = '', title = '', dedupKey } = expect;
  return {
    file,
    type,
    status,
    problem: dedupKey || title,
    request: {
      ...posted,
      method,
      path,
      query,
      headers,
      contentType,
      body: readFileSync(new URL(file, folder)),
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

export const isEnveloped = (json: Json): json is JsonObject =>
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
