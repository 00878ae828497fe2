import {
  type About,
  type AlertEvent,
  type IntegrationType,
  type Json,
  type JsonObject,
  type Link,
  type Reading,
  tooMany,
} from './alert.ts';
import { contentOf } from './body/content.ts';
import { asText, canonical } from './body/json.ts';
import { shortHash } from './hash.ts';
import { readMail } from './mail.ts';
import { isObject, keyOf, nameOf, oneLine, titleOf, withWholeTitle } from './text.ts';
import { actionOf, linkOf, priorityOf, severityOf } from './words.ts';

/** Alertmanager's webhook, and Prometheus itself when we stand in for its Alertmanager. */
export const prometheus: IntegrationType = {
  slug: 'prometheus',
  name: 'Prometheus',
  description: 'Alertmanager by its webhook receiver, or Prometheus without an Alertmanager.',
  guide_url: '/docs/integrations/prometheus',
  read: (request, about) =>
    request.source === 'mail' ? readMail(request, about) : readPrometheus(request, about),
  testRequest: ({ title, note }) => ({ source: 'http', json: testGroup(title, note) }),
};

/** As Alertmanager sends it. */
const testGroup = (summary: string, description: string): Json => ({
  ...{ version: '4', status: 'firing' },
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TestEvent', test: 'true', summary },
      annotations: { summary, description },
    },
  ],
});

function readPrometheus(
  request: { readonly contentType: string; readonly body: Uint8Array },
  about: About,
): Reading {
  const content = contentOf(request.body, request.contentType);
  if ('unreadable' in content) return content;
  if ('text' in content) return { unreadable: 'the body: is not JSON' };
  if (Array.isArray(content.json))
    return readAlerts(content.json, '', (alert) => ownTiming(alert, about), about);
  if (!isObject(content.json)) return { unreadable: 'the body: must be an object or a list' };
  const { alerts, status } = content.json;
  if (!Array.isArray(alerts)) return { unreadable: 'alerts: must be a list' };
  const timing = (alert: JsonObject): Timing => groupTiming(alert, status, about);
  return readAlerts(alerts, 'alerts', timing, about);
}

type Timing = Pick<AlertEvent, 'action' | 'expires_at'>;

function readAlerts(
  list: readonly Json[],
  path: string,
  timingOf: (alert: JsonObject) => Timing,
  about: About,
): Reading {
  const refusal = tooMany(list.length, path || 'the body');
  if (refusal !== undefined) return refusal;
  const wrong = list.findIndex((each) => !isObject(each));
  if (wrong >= 0) return { unreadable: `${path}[${wrong}]: must be an object` };
  const alerts = list.filter(isObject).map((alert) => {
    const event = alertOf(alert, about);
    return { ...event, ...timingOf(alert) };
  });
  return { alerts };
}

/** Alertmanager sends the state of every alert; a group may hold both. */
function groupTiming(alert: JsonObject, groupStatus: Json | undefined, about: About): Timing {
  const status = asText(alert['status']) ?? asText(groupStatus);
  return status === undefined ? ownTiming(alert, about) : { action: actionOf(status) };
}

/** Prometheus sends when the alert ends unless it is sent again. */
function ownTiming(alert: JsonObject, about: About): Timing {
  const endsAt = instantOf(alert['endsAt']);
  if (endsAt === undefined) return { action: 'trigger' };
  if (Temporal.Instant.compare(endsAt, about.receivedAt) <= 0) return { action: 'resolve' };
  return { action: 'trigger', expires_at: endsAt };
}

function alertOf(alert: JsonObject, about: About): Omit<AlertEvent, 'action'> {
  const labels = objectOf(alert['labels']);
  const annotations = objectOf(alert['annotations']);
  const line = lineOf(labels, annotations) || nameOf(about);
  const severity = severityOf(labels['severity']);
  const priority = priorityOf(labels['priority']);
  const links = linksOf(alert, annotations);
  return {
    dedup_key: keyOf(asText(alert['fingerprint']) ?? keyOfLabels(labels, annotations)),
    title: titleOf(line),
    details: withWholeTitle(line, alert) ?? alert,
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
    ...(links.length > 0 && { links }),
  };
}

function lineOf(labels: JsonObject, annotations: JsonObject): string {
  const named = ['summary', 'title', 'message', 'description'].map((name) => annotations[name]);
  return oneLine([...named, labels['alertname']].map(asText).find((text) => text) ?? '');
}

// An alert is its label set; without labels its annotations identify it.
function keyOfLabels(labels: JsonObject, annotations: JsonObject): string {
  const identity = Object.keys(labels).length > 0 ? labels : annotations;
  const texts = Object.entries(identity).map(([name, value]) => [name, asText(value) ?? '']);
  return shortHash(canonical(Object.fromEntries(texts)));
}

const linkTexts = [
  ['runbook', 'Runbook'],
  ['dashboard', 'Dashboard'],
  ['panel', 'Panel'],
  ['silence', 'Silence'],
] as const;

function linksOf(alert: JsonObject, annotations: JsonObject): readonly Link[] {
  const named = linkTexts.flatMap(([word, text]) => {
    const names = [word, `${word}_url`, `${word}URL`, `${word}Url`, `${word}_link`];
    const values = names.flatMap((name) => [annotations[name], alert[name]]);
    return values.flatMap((value) => linkOf(value, text)).slice(0, 1);
  });
  return [...linkOf(alert['generatorURL'], 'Source'), ...named];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

// Alertmanager writes "no end yet" as the zero time of Go.
function instantOf(value: Json | undefined): Temporal.Instant | undefined {
  if (typeof value !== 'string' || value.startsWith('0001-')) return undefined;
  try {
    return Temporal.Instant.from(value);
  } catch {
    return undefined;
  }
}
