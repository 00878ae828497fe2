// What is shown of a message, without what a template left in it where it had nothing to fill in.
import type { AlertEvent, Json, Reading } from '../alert.ts';
import { spend } from '../effort.ts';
import { isObject, oneLine } from '../text.ts';
import { shownText } from './absent.ts';
import { noted } from './list.ts';

const MEMBER_WORK = 3;

/** The reading as it leaves this folder. */
export function withShownDetails(reading: Reading): Reading {
  if ('unreadable' in reading) return reading;
  const alerts = reading.alerts.map((alert) => {
    if (alert.details === undefined) return alert;
    const details = shown(alert.details);
    if (details === alert.details) return alert;
    const { details: _left, ...rest } = alert;
    return details === undefined ? rest : { ...rest, details };
  });
  return noted({ ...reading, alerts }, rawKeyNote(alerts));
}

/** Of what was sent in place of a key, so that its template is corrected. */
function rawKeyNote(alerts: readonly AlertEvent[]): string | undefined {
  const raw = alerts.find(({ raw_key }) => raw_key !== undefined)?.raw_key;
  if (raw === undefined) return undefined;
  return `the key "${oneLine(raw).slice(0, 100)}" tells no problems apart: it is not filled in, or the same for everything`;
}

/** The value itself where nothing of it was left by a template: most are large, and stay as they are. */
function shown(value: Json): Json | undefined {
  spend(MEMBER_WORK);
  if (typeof value === 'string') return shownText(value);
  if (Array.isArray(value)) {
    const kept = value.map(shown);
    const isWhole = kept.every((one, index) => one === value[index]);
    return isWhole ? value : kept.filter((one) => one !== undefined);
  }
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([name, one]) => [name, one, shown(one)] as const);
  if (kept.every(([, one, left]) => one === left)) return value;
  return Object.fromEntries(
    kept.flatMap(([name, , left]) => (left === undefined ? [] : [[name, left]])),
  );
}
