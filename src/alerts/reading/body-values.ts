// The values of a body with their places, for a mapping that is suggested of it.
import type { Json } from '../alert.ts';
import { asText } from '../body/json.ts';
import { isObject } from '../text.ts';
import { isMissing } from './template-leftovers.ts';

export type BodyValue = {
  readonly place: string;
  readonly name: string;
  /** The name of what it stands in; blank at the top. */
  readonly parent: string;
  readonly text: string;
  /** It stands in the first element of a list. */
  readonly isListed: boolean;
};

const MOST_LEAVES = 500;
const DEEPEST = 5;

type Node = Pick<BodyValue, 'place' | 'parent' | 'isListed'> & { readonly value: Json };

/** Nearest the top first; none of those that a place takes for absent. */
export function bodyValuesOf(root: Json): readonly BodyValue[] {
  return nodesOf(root)
    .flatMap(({ value, place, parent, isListed }) =>
      membersOf(value).flatMap(([name, member]) => {
        if (typeof member === 'object' && member !== null) return [];
        const text = asText(member);
        if (text === undefined || isMissing(text)) return [];
        return [{ place: placeOf(place, name), name, parent, text, isListed }];
      }),
    )
    .slice(0, MOST_LEAVES);
}

/** The lists of objects in it, nearest the top first. */
export const listsOf = (
  root: Json,
): readonly { readonly place: string; readonly list: readonly Json[] }[] =>
  nodesOf(root).flatMap(({ value, place, isListed }) =>
    Array.isArray(value) && !isListed && place !== '' && isObject(value[0])
      ? [{ place, list: value }]
      : [],
  );

/** The objects and lists in it, and itself. */
function nodesOf(root: Json): readonly Node[] {
  const nodes: Node[] = [];
  let level: readonly Node[] = [{ place: '', parent: '', isListed: false, value: root }];
  for (let depth = 0; depth < DEEPEST && nodes.length < MOST_LEAVES; depth += 1) {
    nodes.push(...level);
    level = level.flatMap(({ value, place, parent, isListed }) =>
      membersOf(value).flatMap(([name, member]): readonly Node[] => {
        if (typeof member !== 'object' || member === null) return [];
        const isElement = Array.isArray(value);
        return [
          {
            value: member,
            place: placeOf(place, name),
            parent: isElement ? parent : name,
            isListed: isListed || isElement,
          },
        ];
      }),
    );
  }
  return nodes.slice(0, MOST_LEAVES);
}

function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (isObject(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.slice(0, 1).map((one: Json) => ['[0]', one] as const);
}

function placeOf(at: string, name: string): string {
  if (name === '[0]') return `${at}[0]`;
  if (/^[^.[\]|>"=~{}^@]{1,200}$/.test(name) && name.trim() === name)
    return at === '' ? name : `${at}.${name}`;
  return `${at}["${name.replaceAll('"', '')}"]`;
}

/** `eventGroupId` and `Event-Group.ID` alike: event_group_id. */
export const plainWords = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
