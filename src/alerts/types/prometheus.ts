import {
  type About,
  type AlertEvent,
  type HttpRequest,
  type Json,
  type JsonObject,
  type Link,
  type Reading,
  type TestAlert,
  tooMany,
} from '../alert.ts';
import { contentOf } from '../body/content.ts';
import { asText, canonical } from '../body/json.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { instantOf } from '../instant.ts';
import { likelyTitle } from '../reading/likely-title.ts';
import { cutNote, noted, omittedOf, unreadNote } from '../reading/list.ts';
import type { Tool } from '../reading/notation.ts';
import { textOf, wrappedIn } from '../reading/path.ts';
import { isUnfilled, withoutLeftovers } from '../reading/template-leftovers.ts';
import { groupTime } from '../source-time.ts';
import { isObject, keyOf, nameOf, oneLine, titleOf, withWholeTitle } from '../text.ts';
import { actionOf, linkOf, linksOnce, priorityOf, severityOf } from '../words.ts';

const ALERT_WORK = 300;
const REPORTER_LENGTH = 200;

const prometheusAlert = {
  title: [
    ...['annotations.summary', 'annotations.title', 'annotations.message'],
    ...['annotations.description', 'labels.alertname'],
  ],
  key: [['fingerprint'], ['labels > hash']],
  state: [{ at: 'status | ^status' }],
  severity: 'labels.severity',
  priority: 'labels.priority',
  links: { Source: 'generatorURL', Runbook: 'annotations.runbook_url | annotations.runbook' },
} as const;

/**
 * Of one group, in guides. What Alertmanager leaves out opens no incident, so it is as large as the
 * largest event allows whose alerts have 8 KiB each.
 */
export const MAX_ALERTS = 1000;

/** For what sends alerts without an Alertmanager of its own. */
export const acknowledgeOnly =
  'Without an Alertmanager, acknowledge an incident whose alert still fires instead of resolving it. Otherwise, the alert is sent again, usually within a minute, and opens another incident that pages.';

/** Alertmanager's webhook, and Prometheus itself when we stand in for its Alertmanager. */
export const prometheus = {
  slug: 'prometheus',
  name: 'Prometheus',
  description: 'Sends alerts with the Alertmanager webhook receiver, or directly from Prometheus.',
  problem: 'each alert, identified by all its labels',
  knownAs: ['Prometheus'],
  logo: 'prometheus',
  guide: {
    steps: [
      'With Alertmanager, add the receiver in alertmanager.yml below, with the address {url}, and route to it. Alerts of one group join one incident. The Prometheus Alertmanager guide describes groups, silences, clusters and authorization.',
      'Without Alertmanager, add the lines of prometheus.yml below, which send to {origin}. Prometheus repeats an alert while it fires. When the repeats stop, the incident is resolved.',
    ],
    notes: [
      acknowledgeOnly,
      'Two alerts with equal labels are one problem. If several clusters send alerts, create an integration for each, or set different external_labels in each Prometheus.',
    ],
    snippets: [
      {
        file: 'alertmanager.yml',
        text: `receivers:
  - name: pager
    webhook_configs:
      - url: {url}
        send_resolved: true
        max_alerts: ${MAX_ALERTS}`,
      },
      {
        file: 'prometheus.yml',
        text: `alerting:
  alertmanagers:
    - scheme: {origin_scheme}
      path_prefix: /hooks/{token}
      static_configs:
        - targets: ['{origin_host}']`,
      },
    ],
  },
  // For mappings, which replace what these places say; without one, code reads `endsAt` too.
  forms: [
    {
      ...prometheusAlert,
      when: ['alerts'],
      each: 'alerts',
      cut: '^truncatedAlerts',
      group: '^groupKey',
      began: 'startsAt',
      ended: 'endsAt',
    },
    { ...prometheusAlert, when: ['labels'], until: 'endsAt' },
  ],
  groupLimit: 'max_alerts of the webhook receiver',
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
  testRequest: ({ title, note }: TestAlert) => ({ source: 'http', json: testGroup(title, note) }),
} as const satisfies Tool;

/** As Alertmanager sends it. */
const testGroup = (summary: string, description: string): Json => ({
  version: '4',
  status: 'firing',
  alerts: [
    {
      status: 'firing',
      labels: { alertname: 'TestEvent', test: 'true', summary },
      annotations: { summary, description },
    },
  ],
});

/** Reads what Alertmanager posts, or Prometheus itself to what it takes for an Alertmanager. */
export function readPrometheus(
  request: Pick<HttpRequest, 'contentType' | 'body'>,
  about: About,
): Reading & { readonly isTitled?: boolean } {
  const content = contentOf(request.body, request.contentType);
  if ('unreadable' in content) return content;
  if ('text' in content) return { unreadable: 'the body: is not JSON' };
  const { json } = content;
  const sent = Array.isArray(json) ? json : [json];
  const refusal = tooMany(sent.length, 'the body');
  if (refusal !== undefined) return refusal;
  if (!Array.isArray(json) && groupIn(json) === undefined)
    return {
      unreadable: isObject(json)
        ? 'alerts: must be a list'
        : 'the body: must be an object or a list',
    };
  return readAlerts(
    sent.flatMap((one, index) => alertsIn(one, Array.isArray(json) ? [`[${index}]`] : [])),
    about,
  );
}

type Group = {
  readonly alerts: readonly Json[];
  /** The address of the Alertmanager: each member of a pair has its own. */
  readonly reporter: string;
  readonly status: Json | undefined;
  /** How many Alertmanager left out; undefined: it does not say. */
  readonly omitted: number | undefined;
  /** The labels by which Alertmanager groups, with their values. */
  readonly key: string;
};

/** A group that Alertmanager posts, whatever a relay wraps around it. */
function groupIn(json: Json): Group | undefined {
  for (const one of [json, ...wrappedIn(json)]) {
    if (!isObject(one)) continue;
    const { alerts, status, truncatedAlerts, externalURL, groupKey } = one;
    const key = textOf(groupKey) ?? '';
    const omitted = omittedOf(truncatedAlerts);
    const reporter = oneLine(textOf(externalURL) ?? '').slice(0, REPORTER_LENGTH);
    if (Array.isArray(alerts)) return { alerts, status, omitted, reporter, key };
  }
  return undefined;
}

type SentAlert = {
  readonly alert: Json;
  readonly place: string;
  timingOf(alert: JsonObject, about: About): Timing;
};

/** Those of a group, or one of no group. */
function alertsIn(json: Json, place: readonly string[]): readonly SentAlert[] {
  const group = groupIn(json);
  if (group === undefined) return [{ alert: json, place: place.join('.'), timingOf: ownTiming }];
  return group.alerts.map((alert, index) => ({
    alert,
    place: [...place, `alerts[${index}]`].join('.'),
    timingOf: (one, about) => ({
      ...groupTiming(one, group.status, about),
      ...(group.reporter !== '' && { reporter: group.reporter }),
      ...(group.key !== '' && { group: group.key }),
      ...(group.omitted !== undefined && { omitted: group.omitted }),
      ...(group.omitted && { note: cutNote(group.omitted) }),
    }),
  }));
}

type Timing = Pick<
  AlertEvent,
  'action' | 'expires_at' | 'sourceTime' | 'direct' | 'reporter' | 'group' | 'omitted' | 'note'
>;

function readAlerts(sent: readonly SentAlert[], about: About): ReturnType<typeof readPrometheus> {
  const refusal = tooMany(sent.length, 'the body');
  if (refusal !== undefined) return refusal;
  const alerts: AlertEvent[] = [];
  const unread: string[] = [];
  let isTitled = sent.length === 0;
  for (const { alert: one, place, timingOf } of sent) {
    spend(ALERT_WORK);
    if (!isObject(one)) {
      unread.push(`${place}: must be an object`);
      continue;
    }
    const alert = withKnownNames(one);
    const own = lineOf(alert);
    if (own !== '') isTitled = true;
    const line = own || oneLine(likelyTitle(alert) ?? '') || nameOf(about);
    alerts.push(withoutVainKey({ ...alertOf(alert, line), ...timingOf(alert, about) }, alert));
  }
  const [first] = unread;
  if (alerts.length === 0 && first !== undefined) return { unreadable: first };
  const note = alerts.find((one) => one.note !== undefined)?.note;
  return noted(noted({ alerts, isTitled }, note), unreadNote(unread, sent.length));
}

/** What has labels ends by them alone. */
function withoutVainKey(read: AlertEvent, { labels }: JsonObject): AlertEvent {
  const isNamed = Object.keys(objectOf(labels)).length > 0;
  if (read.action === 'trigger' || read.raw_key === undefined || !isNamed) return read;
  const { raw_key: _, ...others } = read;
  return others;
}

const knownNames = new Map(
  [
    ...['labels', 'annotations', 'startsAt', 'endsAt', 'updatedAt', 'generatorURL'],
    ...['status', 'fingerprint'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** In any case, as Go reads the names of JSON; one that is written exactly so goes before. */
function withKnownNames(alert: JsonObject): JsonObject {
  const names = Object.keys(alert);
  const known = (name: string) => knownNames.get(name.toLowerCase()) ?? name;
  if (names.every((name) => known(name) === name)) return alert;
  const renamed = names.map((name) => [known(name), alert[name] ?? null]);
  return { ...Object.fromEntries(renamed), ...alert };
}

/** Alertmanager sends the state of every alert; a group may hold both. */
function groupTiming(alert: JsonObject, groupStatus: Json | undefined, about: About): Timing {
  const status = asText(alert['status']) ?? asText(groupStatus);
  if (status === undefined) return ownTiming(alert, about);
  const action = actionOf(status);
  const at = instantOf(textOf(alert[action === 'resolve' ? 'endsAt' : 'startsAt']));
  const sourceTime = groupTime(at, about.receivedAt);
  return { action, ...(sourceTime && { sourceTime }) };
}

/** Whatever Prometheus sends: it repeats an alert every minute, and an evaluation may be late. */
const SHORTEST = { minutes: 4 } as const;

/** Prometheus sends when the alert ends unless it is sent again. */
function ownTiming(alert: JsonObject, { receivedAt }: About): Timing {
  const endsAt = instantOf(textOf(alert['endsAt']));
  if (endsAt === undefined) return { action: 'trigger' };
  const startsAt = instantOf(textOf(alert['startsAt']));
  const direct = {
    sender: senderOf(textOf(alert['generatorURL'])),
    endsAt,
    ...(startsAt !== undefined && { startsAt }),
  };
  if (Temporal.Instant.compare(endsAt, receivedAt) <= 0) return { action: 'resolve', direct };
  const soonest = receivedAt.add(SHORTEST);
  const isSooner = Temporal.Instant.compare(endsAt, soonest) < 0;
  return { action: 'trigger', expires_at: isSooner ? soonest : endsAt, direct };
}

/** The host that it links to: each server of a pair has its own. */
const senderOf = (url = ''): string =>
  /^[a-z][a-z0-9+.-]*:\/\/([^/?#]{1,255})/i.exec(url)?.[1]?.toLowerCase() ?? '';

function alertOf(alert: JsonObject, line: string): Omit<AlertEvent, 'action'> {
  const labels = objectOf(alert['labels']);
  const annotations = objectOf(alert['annotations']);
  const severity = severityOf(labels['severity']);
  const priority = priorityOf(labels['priority']);
  const links = linksOf(alert, annotations);
  return {
    ...keysOf(alert, () => keyOfLabels(alert, labels, annotations)),
    title: titleOf(line),
    details: withWholeTitle(line, alert) ?? alert,
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
    ...(links.length > 0 && { links }),
  };
}

function keysOf(alert: JsonObject, ofLabels: () => string) {
  const sent = textOf(alert['fingerprint']);
  if (sent === undefined || !isUnfilled(sent)) return { dedup_key: keyOf(sent ?? ofLabels()) };
  return { dedup_key: ofLabels(), former_key: keyOf(sent), raw_key: keyOf(sent) };
}

function lineOf(alert: JsonObject): string {
  const labels = objectOf(alert['labels']);
  const annotations = objectOf(alert['annotations']);
  const named = ['summary', 'title', 'message', 'description'].map((name) => annotations[name]);
  const own = named.map(shownLine).find((text) => text);
  if (own) return own;
  const name = shownLine(labels['alertname']);
  // Nothing else says where it is.
  const place = ['instance', 'host', 'hostname', 'node'].map((one) => textOf(labels[one]));
  const where = place.find((text) => text);
  return name && where ? oneLine(`${name} on ${where}`) : name;
}

const shownLine = (value: Json | undefined): string =>
  oneLine(withoutLeftovers(textOf(value) ?? ''));

// An alert is its label set; without labels its annotations identify it, and without these what
// else it has that stays.
function keyOfLabels(alert: JsonObject, labels: JsonObject, annotations: JsonObject): string {
  const { status: _s, startsAt: _b, endsAt: _e, updatedAt: _u, ...rest } = alert;
  const identity = [labels, annotations, rest].find((one) => Object.keys(one).length > 0) ?? {};
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
  const others = Object.entries(annotations).flatMap(([name, value]) => linkOf(value, name));
  const image = linkOf(alert['imageURL'], 'Image');
  return linksOnce([...linkOf(alert['generatorURL'], 'Source'), ...named, ...others, ...image]);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
