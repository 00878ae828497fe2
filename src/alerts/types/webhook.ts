import {
  type About,
  type AlertEvent,
  type HttpRequest,
  type Json,
  type JsonObject,
  type TestAlert,
  tooMany,
} from '../alert.ts';
import { contentOf, repairedNote } from '../body/content.ts';
import { asText, canonical } from '../body/json.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { doubtOf } from '../in-doubt.ts';
import { readLine } from '../marks.ts';
import type { FormReading } from '../reading/form.ts';
import { keyOfUnknown } from '../reading/identity.ts';
import { lastingKey } from '../reading/lasting.ts';
import { likelyTitle } from '../reading/likely-title.ts';
import { combined, noted } from '../reading/list.ts';
import { unmeasured } from '../reading/measured.ts';
import type { Tool } from '../reading/notation.ts';
import { firstLine, firstShownLine } from '../reading/path.ts';
import {
  hasGap,
  isMissing,
  isUnfilled,
  mayHaveGap,
  wasMissing,
  withoutLeftovers,
} from '../reading/template-leftovers.ts';
import { namedTitleWithoutState, titleWithoutState } from '../reading/title-without-state.ts';
import { isObject, keyOf, nameOf, oneLine, titleOf, withWholeTitle } from '../text.ts';
import { linksOf, priorityOf, severityOf, statusAction } from '../words.ts';

/** Our own JSON, for every tool whose payload can be configured. */
export const webhook = {
  slug: 'webhook',
  name: 'Webhook',
  description:
    'Works with any tool that can send JSON: title, body, severity, status and a dedup key.',
  problem:
    'each dedup_key, or each title without its marks of state, or each body without times, counters and measured values',
  guide: {
    steps: [
      'Configure the tool to send JSON by POST to {url}, with title, body, severity and dedup_key.',
      'When the problem ends, send the same dedup_key with "status": "resolved".',
    ],
    notes: [
      'If the tool never sends an end, set auto_resolve on the integration if it reports a problem once, or resolve_when_quiet if it repeats the report while the problem lasts.',
    ],
    snippets: [
      {
        file: 'alert.sh',
        text: `curl -X POST {url} -H 'content-type: application/json' -d '{
  "title": "Disk of db-1 is full", "severity": "critical", "dedup_key": "db-1/disk"
}'`,
      },
    ],
  },
  // For mappings, which replace what these places say.
  forms: [
    {
      title: 'title',
      key: [['dedup_key'], ['title']],
      state: [{ at: 'status' }],
      severity: 'severity',
      priority: 'priority',
      links: { Link: 'links' },
    },
  ],
  read: readWebhook,
  testRequest: ({ title, note }: TestAlert) => ({
    source: 'http',
    json: { title, body: { test: true, note } },
  }),
} as const satisfies Tool;

const ALERT_WORK = 100;
const MEMBER_WORK = 10;
const known = ['title', 'body', 'severity', 'priority', 'status', 'dedup_key', 'links'];

/** Reads an HTTP request that follows no vendor's form. */
export function readWebhook(
  request: Pick<HttpRequest, 'contentType' | 'body'>,
  about: About,
): FormReading {
  const content = contentOf(request.body, request.contentType);
  if ('unreadable' in content) return content;
  if ('text' in content) return { alerts: [alertOfText(content.text, about)] };
  if (content.xml !== undefined) return readXml(content.json, content.xml, about);
  const reading = Array.isArray(content.json)
    ? readList(content.json, about)
    : readOne(content.json, about);
  return content.repaired === true ? noted(reading, repairedNote) : reading;
}

/** The members of the root are the fields; 0.1.0 read the text of it. */
function readXml(json: Json, xml: string, about: About): FormReading {
  const [root = null] = isObject(json) ? Object.values(json) : [];
  const text = alertOfText(xml, about);
  const former_key = text.former_key ?? text.dedup_key;
  const fields = isObject(root) ? fieldsOfXml(root) : root;
  const [only, ...others] = isObject(fields) ? Object.values(fields) : [fields];
  const listed = others.length === 0 && Array.isArray(only) && only.every(isObject) ? only : null;
  const reading = listed ? readList(listed.map(fieldsOfXml), about) : readOne(fields, about);
  if ('unreadable' in reading) return { alerts: [text] };
  return { ...reading, alerts: reading.alerts.map((alert) => ({ ...alert, former_key })) };
}

/** Attributes count as fields, unless an element is called the same. */
const fieldsOfXml = (root: JsonObject): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(root).flatMap(([name, value]) =>
      name.startsWith('@') ? [[name.slice(1), value]] : [],
    ),
  ),
  ...Object.fromEntries(
    Object.entries(root).flatMap(([name, value]) =>
      name.startsWith('@') ? [] : [[name, isObject(value) ? (value['#text'] ?? value) : value]],
    ),
  ),
});

function readList(list: readonly Json[], about: About): FormReading {
  if (list.length === 0) return { unreadable: 'the body: is an empty list' };
  const refusal = tooMany(list.length, 'the body');
  if (refusal !== undefined) return refusal;
  return combined(list.map((each) => readOne(each, about)));
}

function readOne(value: Json, about: About): FormReading {
  if (typeof value === 'string' && value.trim() !== '')
    return { alerts: [alertOfText(value, about)] };
  if (!isObject(value)) return { unreadable: 'the body: must be an object' };
  if (Object.keys(value).length === 0) return { unreadable: 'the body: is empty' };
  const isTitled = ['title', 'dedup_key'].some((name) => filledIn(value[name]) !== undefined);
  return { alerts: [alertOf(value, about)], isTitled };
}

function alertOf(fields: JsonObject, about: About): AlertEvent {
  spend(ALERT_WORK + MEMBER_WORK * Object.keys(fields).length);
  const own = filledIn(fields['title']);
  const shown = own === undefined ? undefined : oneLine(withoutLeftovers(own));
  const line = oneLine(shown || (likelyTitle(fields) ?? '')) || nameOf(about);
  const body = detailsOf(fields);
  const details = withWholeTitle(line, body);
  const severity = severityOf(fields['severity']);
  const priority = priorityOf(fields['priority']);
  const links = linksOf(fields['links']);
  const keys = keysOf(fields, { body, own, shown });
  const isStated = filledIn(fields['status']) !== undefined;
  return {
    ...(isStated
      ? { action: statusAction(fields['status']) }
      : markedBy(line, keys.dedup_key, severity === 'sev1' || severity === 'sev2')),
    ...keys,
    title: titleOf(line),
    ...(details !== undefined && { details }),
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
    ...(links.length > 0 && { links }),
  };
}

/** What the marks in a line say; `key`: of its problem. A severe end is in doubt: *up*, critical. */
function markedBy(
  line: string,
  key: string,
  isSevere = false,
): Pick<AlertEvent, 'action' | 'in_doubt' | 'is_marked'> {
  const marked = readLine(line);
  const { action = 'trigger', isWeaker = false } = marked.sign ?? {};
  const sign = { action, isWeaker: isWeaker || isSevere };
  return {
    action,
    ...doubtOf({ ...marked, sign }, key),
    ...(action === 'resolve' && !sign.isWeaker && { is_marked: true }),
  };
}

type Titled = {
  readonly body: Json | undefined;
  readonly own: string | undefined;
  /** Without what a template left in it. */
  readonly shown: string | undefined;
};

function keysOf(fields: JsonObject, { body, own, shown }: Titled) {
  const raw = asText(fields['dedup_key']);
  const isKey = raw !== undefined && !isUnfilled(raw) && !(shown && hasGap(raw, shown));
  const sent = isKey ? raw : undefined;
  const isDoubtful = isKey && own === undefined && mayHaveGap(raw);
  // Of a title that lacks a word, only the rest tells problems apart.
  const titled =
    shown !== undefined && shown === oneLine(own ?? '') ? keyOfTitle(shown, body) : undefined;
  const isRawKnown = raw !== undefined && (sent === undefined || isDoubtful);
  const isUnnamed = statusAction(fields['status']) === 'trigger' || titled === undefined;
  const rest = own === undefined ? body : { title: own, body: body ?? null };
  const dedup_key = keyOf(sent ?? titled ?? keyOfBody(rest, fields));
  const former_key = formerKey(fields, body);
  return {
    dedup_key,
    ...(former_key !== dedup_key && { former_key }),
    ...(isRawKnown && isUnnamed && { raw_key: keyOf(raw) }),
  };
}

/** Of a title that names no problem, what in the body names something; or the title if it is all. */
function keyOfTitle(title: string, body: Json | undefined): string | undefined {
  const named = namedTitleWithoutState(title);
  if (named !== '') return named;
  const key = isObject(body) ? keyOfUnknown(title, body) : '';
  return key || (body === undefined && titleWithoutState(title)) || undefined;
}

/** As the release 0.1.0 made it. */
function formerKey(fields: JsonObject, body: Json | undefined): string {
  const filled = (value: Json | undefined) => {
    const text = asText(value);
    return text === undefined || wasMissing(text) ? undefined : text;
  };
  const title = oneLine(filled(fields['title']) ?? '');
  const whole = shortHash(canonical(body ?? fields['links'] ?? null));
  return keyOf(filled(fields['dedup_key']) ?? (title || whole));
}

/** Unless it is what a template leaves where it has nothing to fill in. */
function filledIn(value: Json | undefined): string | undefined {
  const text = asText(value);
  return text === undefined || isMissing(text) ? undefined : text;
}

function alertOfText(text: string, about: About): AlertEvent {
  const whole = text.trim();
  const first = firstLine(whole) ?? '';
  const shown = firstShownLine(withoutLeftovers(whole)) ?? '';
  // Of markup, what stands between its tags.
  const read = whole.startsWith('<') ? shown.replace(/<[^<>]{0,500}>/g, ' ') : shown;
  const line = oneLine(read) || nameOf(about);
  const details = line === whole ? withWholeTitle(line, undefined) : whole;
  const keys = keysOfText(oneLine(first), whole);
  return {
    ...markedBy(oneLine(first), keys.dedup_key),
    ...keys,
    title: titleOf(line),
    ...(details !== undefined && { details }),
  };
}

function keysOfText(first: string, whole: string) {
  const former_key = keyOf(first || shortHash(whole));
  const line = withoutLeftovers(first);
  const isWhole = line === first && !whole.startsWith('<');
  // A state may have a time of its own, as in *resolved in 5m*.
  const own = namedTitleWithoutState(line);
  const named = namedTitleWithoutState(unmeasured(own)) || own;
  const stem = named || (line === whole && titleWithoutState(line));
  const dedup_key = keyOf((isWhole && stem) || lastingKey(whole));
  return { dedup_key, ...(former_key !== dedup_key && { former_key }) };
}

function detailsOf(fields: JsonObject): Json | undefined {
  const body = fields['body'];
  if (body !== undefined && body !== null) return body;
  if (!known.some((name) => Object.hasOwn(fields, name))) return fields;
  const others = Object.entries(fields).filter(([name]) => !known.includes(name));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

// Without status, severity and priority, so that the resolve has the key of its trigger.
function keyOfBody(body: Json | undefined, fields: JsonObject): string {
  return lastingKey(body ?? fields['links'] ?? null);
}
