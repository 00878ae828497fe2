import type { AlertEvent, Json, Reading } from './alert.ts';

// What V8 was measured to take at most. `[{},{},...]` comes to 21 times its text.
const PER_ALERT = 512;
const PER_LIST_OR_OBJECT = 56;
const PER_ELEMENT = 8;
const PER_MEMBER = 40;
const PER_TEXT = 24;
const PER_CHARACTER = 2;

/** About how many bytes of memory a reading takes; rather more than less. */
export function memoryOf(reading: Reading): number {
  if ('unreadable' in reading) return memoryOfText(reading.unreadable);
  return reading.alerts.reduce((sum, alert) => sum + memoryOfAlert(alert), 0);
}

function memoryOfAlert({ title, dedup_key, details = null, links = [] }: AlertEvent): number {
  const texts = [title, dedup_key, ...links.flatMap(({ href, text = '' }) => [href, text])];
  return PER_ALERT + memoryOfJson(details) + texts.reduce((sum, one) => sum + memoryOfText(one), 0);
}

const memoryOfText = (text: string) => PER_TEXT + PER_CHARACTER * text.length;

/** Readers bound how deep it goes. */
function memoryOfJson(value: Json): number {
  if (typeof value === 'string') return memoryOfText(value);
  if (value === null || typeof value !== 'object') return 0;
  const each = Array.isArray(value) ? PER_ELEMENT : PER_MEMBER;
  const members = Object.values<Json>(value);
  return members.reduce<number>((sum, one) => sum + each + memoryOfJson(one), PER_LIST_OR_OBJECT);
}
