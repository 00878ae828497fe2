// What an alert is called where its tool's declaration finds nothing.
import type { Json } from '../alert.ts';
import { spend } from '../effort.ts';
import { isObject } from '../text.ts';
import { firstLine, firstShownLine, textOf } from './path.ts';
import { wasMissing, withoutLeftovers } from './template-leftovers.ts';

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
const LONGEST_NAME = Math.max(...NAMES.map((name) => name.length));
const DEEPEST = 3;
const OBJECT_WORK = 20;
const NAME_WORK = 3;
const MOST_OBJECTS = 200;

/** The first line of what is most like a title, nearer the top before deeper. */
export const likelyTitle = (item: Json): string | undefined => likeliest(item, shownLine);

/** As the release 0.1.0 found it, for the keys that it made of it. */
export const formerTitle = (item: Json): string | undefined => likeliest(item, formerLine);

type Line = (text: string) => string | undefined;

function shownLine(text: string): string | undefined {
  const shown = textOf(text);
  return shown === undefined ? undefined : firstShownLine(withoutLeftovers(shown))?.trim();
}

const formerLine: Line = (text) => (wasMissing(text) ? undefined : firstLine(text)?.trim());

function likeliest(item: Json, lineOf: Line): string | undefined {
  if (typeof item === 'string') return lineOf(item);
  let level: readonly Json[] = [item];
  for (let depth = 1; depth <= DEEPEST; depth += 1) {
    const named = level.map(namedIn);
    for (const name of NAMES) {
      for (const one of named) {
        const text = one.get(name);
        const line = typeof text === 'string' ? lineOf(text) : undefined;
        if (line) return line;
      }
    }
    level = level.flatMap(membersOf).slice(0, MOST_OBJECTS);
  }
  return undefined;
}

/** Those of its members that are called like a title; its names are gone through once. */
function namedIn(of: Json): ReadonlyMap<string, Json> {
  const named = new Map<string, Json>();
  if (!isObject(of)) return named;
  const keys = Object.keys(of);
  spend(OBJECT_WORK + keys.length * NAME_WORK);
  for (const key of keys) {
    if (key.length > LONGEST_NAME) continue;
    const name = key.toLowerCase();
    if (NAMES.includes(name) && !named.has(name)) named.set(name, of[key] ?? null);
  }
  return named;
}

const membersOf = (of: Json): readonly Json[] =>
  (Array.isArray(of) ? of : isObject(of) ? Object.values(of) : []).filter(
    (one) => typeof one === 'object' && one !== null,
  );
