import assert from 'node:assert/strict';
import type { AlertEvent, HttpRequest, Reading } from '../src/alerts/alert.ts';
import { integrationTypes } from '../src/alerts/index.ts';
import { posted } from './http-event.ts';

type Over = Partial<Pick<HttpRequest, 'path' | 'query' | 'headers' | 'contentType'>>;

/** What the type makes of a message: an object is sent as JSON. */
export function readingOf(slug: string, message: object | string, over: Over = {}): Reading {
  const type = integrationTypes.find((one) => one.slug === slug);
  assert.ok(type, `there is no type ${slug}`);
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const body = new TextEncoder().encode(text);
  const request = { ...posted, path: '/x', contentType: 'application/json', body, ...over };
  const about = {
    receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
    integrationName: 'Any',
  };
  return type.read(request, about);
}

/** The alerts of a message that can be read. */
export function alertsOf(
  slug: string,
  message: object | string,
  over: Over = {},
): readonly AlertEvent[] {
  const reading = readingOf(slug, message, over);
  assert.ok('alerts' in reading, JSON.stringify(reading));
  return reading.alerts;
}

/** Its one alert. */
export function alertOf(slug: string, message: object | string, over: Over = {}): AlertEvent {
  const [alert, ...rest] = alertsOf(slug, message, over);
  assert.ok(alert, `${slug} reads no alert in ${JSON.stringify(message)}`);
  assert.deepEqual(rest, []);
  return alert;
}
