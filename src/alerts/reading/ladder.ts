// What an alert is called where its tool's declaration finds nothing.
import type { Json } from '../alert.ts';
import { isObject } from '../text.ts';
import { firstLine, textOf } from './path.ts';

const NAMES = [
  'title',
  'summary',
  'subject',
  'message',
  'name',
  'alertname',
  'description',
  'text',
  'msg',
  'output',
];
const DEEPEST = 3;
const MOST_OBJECTS = 200;

/** The first line of what is most like a title, nearer the top before deeper. */
export function likelyTitle(item: Json): string | undefined {
  if (typeof item === 'string') return firstLine(item)?.trim();
  let level: readonly Json[] = [item];
  for (let depth = 1; depth <= DEEPEST; depth += 1) {
    for (const name of NAMES) {
      for (const one of level) {
        const line = lineOf(one, name);
        if (line) return line;
      }
    }
    level = level.flatMap(membersOf).slice(0, MOST_OBJECTS);
  }
  return undefined;
}

function lineOf(of: Json, name: string): string | undefined {
  if (!isObject(of)) return undefined;
  const key = Object.keys(of).find((one) => one.toLowerCase() === name);
  const value = key === undefined ? undefined : of[key];
  if (typeof value !== 'string') return undefined;
  const text = textOf(value);
  return text === undefined ? undefined : firstLine(text)?.trim();
}

const membersOf = (of: Json): readonly Json[] =>
  (Array.isArray(of) ? of : isObject(of) ? Object.values(of) : []).filter(
    (one) => typeof one === 'object' && one !== null,
  );
