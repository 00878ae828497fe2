// A mapping proposed from what a tool sent when a problem began, and when it ended.
import { eventsLimits } from '../../limits/events.ts';
import type { Json } from '../alert.ts';
import { asText } from '../body/json.ts';
import { isObject } from '../text.ts';
import { knownAction, plain, severityOf } from '../words.ts';
import type { Form } from './notation.ts';
import { mappingProblems } from './problems.ts';

type Leaf = { readonly place: string; readonly name: string; readonly text: string };

const MOST_LEAVES = 500;
const DEEPEST = 5;
const LONGEST_WORD = 40;

/** Undefined: nothing in the two tells a state, or a key that both have. */
export function suggestedForm(firing: Json, recovered: Json): Form {
  const before = leavesOf(firing).filter(isPlace);
  const after = new Map(leavesOf(recovered).map((leaf) => [leaf.place, leaf.text]));
  const isSame = ({ place, text }: Leaf) => after.get(place) === text;
  const state = best(
    before.filter((leaf) => isStateOf(leaf, after.get(leaf.place))),
    stateRank,
  );
  const same = before.filter((leaf) => isSame(leaf) && leaf !== state);
  const key = best(same, keyRank);
  const title = best(before, titleRank);
  const severity = before.find((leaf) => isSeverity(leaf) && leaf !== state);
  return {
    ...(title && { title: [title.place] }),
    ...(key && { key: [[key.place]] }),
    ...(state && { state: [stateRuleOf(state, after.get(state.place) ?? '')] }),
    ...(severity && { severity: { at: [severity.place] } }),
  };
}

/** Not every name can be written as a place. */
function isPlace({ place }: Leaf): boolean {
  const form = { title: [place], key: [[place]], until: [place] };
  return place.length <= eventsLimits.mappingText && mappingProblems([form]).length === 0;
}

const stateRuleOf = ({ place, text }: Leaf, recovered: string) => ({
  at: [place],
  trigger: wordOf(text),
  resolve: wordOf(recovered),
});

/** Words are written with blanks between them: a word of several is written as one. */
const wordOf = (text: string): string => plain(text) || text.replace(/\s+/g, '');

function isStateOf({ text }: Leaf, recovered: string | undefined): boolean {
  if (recovered === undefined || recovered === text) return false;
  return isWord(text) && isWord(recovered) && wordOf(text) !== wordOf(recovered);
}

// A time, a count or an id changes too, and says nothing.
const isWord = (text: string): boolean =>
  text.length <= LONGEST_WORD && /^(?:[01]|true|false|[\p{L}][\p{L}\s_-]*)$/u.test(text.trim());

const STATE_NAME =
  /^(?:.*[._-])?(?:status|state|action|event|eventtype|type|condition|alertstatus)$/i;
const KEY_NAMES = [
  /(?:incident|alert|problem|event|issue|dedup)[._-]?(?:id|key)$|^(?:alias|fingerprint|dedup)/i,
  /(?:^|[._-])u?u?id$|Id$/,
  /(?:monitor|check|rule|host|service|device|name|resource)/i,
];
const TITLE_NAMES = [
  'title',
  'summary',
  'subject',
  'message',
  'name',
  'description',
  'text',
  'msg',
];

function stateRank({ name, text }: Leaf): number {
  return (STATE_NAME.test(name) ? 0 : 2) + (knownAction(text) === undefined ? 1 : 0);
}

function keyRank({ name, text }: Leaf): number | undefined {
  const rank = KEY_NAMES.findIndex((form) => form.test(name));
  if (rank < 0 || text.length > 200) return undefined;
  return rank;
}

function titleRank({ name }: Leaf): number | undefined {
  const rank = TITLE_NAMES.indexOf(name.toLowerCase());
  return rank < 0 ? undefined : rank;
}

const isSeverity = ({ name, text }: Leaf): boolean =>
  /severity|level|criticality/i.test(name) && severityOf(text) !== undefined;

/** The leaf of the lowest rank; of those, the one nearest the top. */
function best(
  leaves: readonly Leaf[],
  rankOf: (leaf: Leaf) => number | undefined,
): Leaf | undefined {
  let lowest: { leaf: Leaf; rank: number } | undefined;
  for (const leaf of leaves) {
    const rank = rankOf(leaf);
    if (rank !== undefined && (lowest === undefined || rank < lowest.rank)) lowest = { leaf, rank };
  }
  return lowest?.leaf;
}

/** Nearest the top first. */
function leavesOf(root: Json): readonly Leaf[] {
  const leaves: Leaf[] = [];
  let level: readonly { readonly at: string; readonly value: Json }[] = [{ at: '', value: root }];
  for (let depth = 0; depth < DEEPEST && leaves.length < MOST_LEAVES; depth += 1) {
    const next: { at: string; value: Json }[] = [];
    for (const { at, value } of level)
      for (const [name, member] of membersOf(value)) {
        const place = placeOf(at, name);
        if (typeof member === 'object' && member !== null) next.push({ at: place, value: member });
        else {
          const text = asText(member);
          if (text !== undefined) leaves.push({ place, name, text });
        }
      }
    level = next;
  }
  return leaves.slice(0, MOST_LEAVES);
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
