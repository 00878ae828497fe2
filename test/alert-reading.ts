import assert from 'node:assert/strict';
import type { AlertEvent, Json, Reading } from '../src/alerts/alert.ts';
import { typeOf } from '../src/alerts/index.ts';
import { posted } from './http-event.ts';

type Sent = {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What a type makes of a body: text as it is, anything else as JSON. */
export function readingOf(slug: string, body: Json, sent: Sent = {}): Reading {
  const type = typeOf(slug);
  assert.ok(type, `there is no type ${slug}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { contentType = 'application/json', headers = {} } = sent;
  return type.read(
    { ...posted, path: '/x', contentType, headers, body: new TextEncoder().encode(text) },
    { receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'), integrationName: 'Samples' },
  );
}

/** The only alert of a body. */
export function alertOf(slug: string, body: Json, sent?: Sent): AlertEvent {
  const reading = readingOf(slug, body, sent);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert, ...others] = reading.alerts;
  assert.ok(alert, `${slug} finds no alert: ${reading.note}`);
  assert.deepEqual(others, []);
  return alert;
}

/** `trigger`, `acknowledge`, `resolve`, or `nothing` if the body asks for nothing. */
export function actionOf(slug: string, body: Json, sent?: Sent): string {
  const reading = readingOf(slug, body, sent);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  return reading.alerts.length === 0 ? 'nothing' : alertOf(slug, body, sent).action;
}

/** The file of a type's guide, with its placeholders filled in. */
export function guideFile(slug: string, file: string, values: Readonly<Record<string, string>>) {
  const guide = typeOf(slug)?.guide;
  const text = guide?.snippets?.find((one) => one.file === file)?.text;
  assert.ok(text !== undefined, `the guide of ${slug} has no ${file}`);
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(name, value),
    text,
  );
}
