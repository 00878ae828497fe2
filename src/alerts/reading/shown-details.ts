// What is shown of a message, without what a template left in it where it had nothing to fill in.
import type { About, AlertEvent, Json, Reading } from '../alert.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { isObject, keyOf, nameOf, oneLine, titleOf } from '../text.ts';
import { noted } from './list.ts';
import { unmeasured } from './measured.ts';
import { hasLeftover, shownText, withoutLeftovers } from './template-leftovers.ts';

const MEMBER_WORK = 3;

/** The reading as it leaves this folder. */
export function withShownDetails(reading: Reading, about: About): Reading {
  if ('unreadable' in reading) return reading;
  const alerts = reading.alerts.map((one) => {
    const alert = filledIn(one, about);
    if (alert.details === undefined) return alert;
    const details = shown(alert.details);
    if (details === alert.details) return alert;
    const { details: _left, ...rest } = alert;
    return details === undefined ? rest : { ...rest, details };
  });
  return noted({ ...reading, alerts }, rawKeyNote(alerts));
}

/** Of a mail its subject is title and key, whatever a template left in it. */
function filledIn(alert: AlertEvent, about: About): AlertEvent {
  const { title, dedup_key, details, former_key = dedup_key, in_doubt: doubt } = alert;
  if (!hasLeftover(title)) return alert;
  const shownTitle = titleOf(oneLine(withoutLeftovers(title))) || nameOf(about);
  if (!hasLeftover(dedup_key)) return { ...alert, title: shownTitle };
  // Of a subject that lacks a word, only the text tells problems apart.
  const text = shortHash(unmeasured(typeof details === 'string' ? details : ''));
  const key = keyOf(`${shownTitle} | ${text}`);
  // What opens has another key than what it would have ended, or its repeat would end it.
  const trigger_key = keyOf(`${text} | ${shownTitle}`);
  return {
    ...alert,
    title: shownTitle,
    dedup_key: key,
    former_key,
    raw_key: dedup_key,
    ...(doubt !== undefined && { in_doubt: { ...doubt, keys: [], trigger_key } }),
  };
}

/** Of what was sent in place of a key, so that its template is corrected. */
function rawKeyNote(alerts: readonly AlertEvent[]): string | undefined {
  const raw = alerts.find(({ raw_key }) => raw_key !== undefined)?.raw_key;
  if (raw === undefined) return undefined;
  return `the key "${oneLine(raw).slice(0, 100)}" does not distinguish problems: it is not filled in, or is the same for everything`;
}

/** The value itself where nothing of it was left by a template: most are large, and stay as they are. */
function shown(value: Json): Json | undefined {
  spend(MEMBER_WORK);
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) {
    const members = value.map(shown);
    const isWhole = members.every((one, index) => one === value[index]);
    return isWhole ? value : members.filter((one) => one !== undefined);
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, one]) => [name, one, shown(one)] as const);
  if (members.every(([, one, left]) => one === left)) return value;
  return Object.fromEntries(
    members.flatMap(([name, , left]) => (left === undefined ? [] : [[name, left]])),
  );
}
