// Places in a body: `a.b[0].c`, `["EVENT.ID"]`, `fields[key=severity].value`, `x | y`, `^x`,
// `@query.x`, `@header.x`, `@path`, with filters behind. Compiled once; looking up
// throws nothing but a TooMuchWork (../effort.ts).
import type { Json, JsonObject } from '../alert.ts';
import { asText, canonical, parseJson } from '../body/json.ts';
import { spend } from '../effort.ts';
import { shortHash } from '../hash.ts';
import { isBlank, isObject } from '../text.ts';
import { labelsOf } from '../text-labels.ts';
import { expressionOf } from './expression.ts';
import { lastingKey } from './lasting.ts';
import { listedLinks } from './listed-links.ts';
import { NotationError } from './notation-error.ts';
import { plainOfSlack } from './slack-markup.ts';
import { isMissing } from './template-leftovers.ts';
import { formerTitleWithoutState, namedTitleWithoutState } from './title-without-state.ts';

/** Where places are looked up. */
export type Scope = {
  readonly item: Json;
  /** The whole body, where `item` is an element of a list in it. */
  readonly root: Json;
  readonly request: {
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
  };
};

/** `loose`: ignoring case, `_` and `-` of names, and in what tools wrap around a body. */
export type Lookup = 'exact' | 'loose';

export type Step =
  | { readonly name: string }
  | { readonly index: number }
  | { readonly member: string; readonly is: string };
type Start = 'item' | 'root' | 'query' | 'header' | 'path';
type Filter = (value: Json) => Json | undefined;
type Alternative = {
  readonly start: Start;
  readonly steps: readonly Step[];
  readonly filters: readonly Filter[];
};

/** Compiled. */
export type Path = readonly Alternative[];

const starts = { '^': 'root', '@query': 'query', '@header': 'header', '@path': 'path' } as const;
const STEP =
  /^\.?(?:\["([^"]{1,200})"\]|\[(\d{1,4})\]|\[([\w-]{1,100})=([^\]]{1,200})\]|([^.[\]|>"=~]{1,200}))/;
const WRAPPERS = ['data', 'payload', 'event', 'alert', 'body'];
const MOST_STEPS = 64;

/** Throws a NotationError for what is no place. */
export function pathOf(source: string): Path {
  return source.split(' | ').map((one) => alternativeOf(one.trim()));
}

function alternativeOf(source: string): Alternative {
  const [place = '', ...filters] = source.split(' > ');
  const written = place.trim();
  const [prefix = '', start = 'item'] =
    Object.entries(starts).find(([mark]) => written.startsWith(mark)) ?? [];
  return {
    start,
    steps: stepsOf(written.slice(prefix.length), source),
    filters: filters.map((filter) => filterOf(filter.trim())),
  };
}

function stepsOf(written: string, source: string): readonly Step[] {
  const steps: Step[] = [];
  let rest = written;
  while (rest !== '') {
    const match = STEP.exec(rest);
    if (match === null || steps.length >= MOST_STEPS)
      throw new NotationError(`${source} is not a valid path: ${rest} is not understood`);
    const [whole, quoted, index, member, is, name] = match;
    if (index !== undefined) steps.push({ index: Number(index) });
    else if (member !== undefined) steps.push({ member, is: is ?? '' });
    else steps.push({ name: quoted ?? name ?? '' });
    rest = rest.slice(whole.length);
  }
  return steps;
}

function filterOf(written: string): Filter {
  if (written === 'line') return onText(firstLine);
  // A text of nothing but marks of state, or one that names nothing, tells no problems apart.
  if (written === 'stem') return onText((text) => namedTitleWithoutState(text) || undefined);
  if (written === 'stem of 0.1.0') return onText(formerTitleWithoutState);
  if (written === 'slack') return onText((text) => counted(plainOfSlack(text)));
  if (written === 'labels') return onText(labelsOf);
  // That of an empty object would be the same of every alert: the same key.
  if (written === 'hash')
    return (value) => (isEmpty(value) ? undefined : shortHash(counted(canonical(asTexts(value)))));
  if (written === 'links') return (value) => listedLinks(value);
  if (written === 'lasting') return (value) => (isEmpty(value) ? undefined : lastingKey(value));
  const [name = '', expression = ''] = written.split(/ (.*)/s);
  if (name === 'without') return membersWithout(expression.split(/\s+/).map(plainName));
  if (name === 'cut') {
    const { cut } = expressionOf(expression);
    return onText((text) => cut(text).trim());
  }
  if (name === 'take') {
    const { take } = expressionOf(expression);
    return onText((text) => take(text)?.trim());
  }
  throw new NotationError(
    `${written} is not a filter. The filters are line, stem, slack, labels, hash, lasting, links, without, cut and take`,
  );
}

const isEmpty = (value: Json): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function counted(text: string): string {
  spend(text.length);
  return text;
}

const onText =
  (change: (text: string) => string | undefined): Filter =>
  (value) => {
    const text = textOf(value);
    return text === undefined ? undefined : change(text);
  };

const membersWithout =
  (names: readonly string[]): Filter =>
  (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).filter(([name]) => !names.includes(plainName(name))),
        )
      : value;

/** The first line that people can read: not what only says that XML follows. */
export const firstShownLine = (text: string): string | undefined =>
  firstLine(text.replace(/^\s{0,100}(?:<[?!][^>]{0,500}>\s{0,100}){1,5}/, ''));

/** The first line that is not blank. */
export function firstLine(text: string): string | undefined {
  return text.split(/[\r\n]+/, 50).find((line) => !isBlank(line));
}

/** An object whose members are texts, so that 7 and "7" have one hash. */
function asTexts(value: Json): Json {
  if (!isObject(value)) return asText(value) ?? '';
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asText(one) ?? '']));
}

/** What stands at the first alternative that is there. */
export function valueAt(path: Path, scope: Scope, lookup: Lookup): Json | undefined {
  for (const alternative of path) {
    const value = filtered(alternative, scope, lookup);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether something stands there, even if it is the leftover of a template. */
export function isWritten(path: Path, scope: Scope, lookup: Lookup): boolean {
  return path.some(({ start, steps }) => {
    const value = walk(startOf(start, scope), steps, lookup);
    return value !== undefined && value !== null && value !== '';
  });
}

/** The text as it is written there, a leftover too; nothing of a place that a filter follows. */
export function writtenAt(path: Path, scope: Scope): string | undefined {
  for (const lookup of ['exact', 'loose'] as const)
    for (const { start, steps, filters } of path) {
      const value = filters.length > 0 ? null : walk(startOf(start, scope), steps, lookup);
      const text = typeof value === 'object' ? undefined : asText(value)?.trim();
      if (text) return text;
    }
  return undefined;
}

function filtered(alternative: Alternative, scope: Scope, lookup: Lookup): Json | undefined {
  const { item, root } = scope;
  if (alternative.start !== 'root' || item === root || typeof root !== 'object' || root === null)
    return valueBy(alternative, scope, lookup);
  const known = ofRoots[lookup].get(root) ?? new Map<Alternative, Json | undefined>();
  ofRoots[lookup].set(root, known);
  if (!known.has(alternative)) known.set(alternative, cut(valueBy(alternative, scope, lookup)));
  return known.get(alternative);
}

/** What stands outside a list is looked up once, for each of its elements asks for it. */
const ofRoots = {
  exact: new WeakMap<object, Map<Alternative, Json | undefined>>(),
  loose: new WeakMap<object, Map<Alternative, Json | undefined>>(),
};

const LONGEST_OF_ROOT = 2_000;

/** Each of thousands of elements would work through it, and keep it. */
const cut = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' ? value.slice(0, LONGEST_OF_ROOT).toWellFormed() : value;

function valueBy({ start, steps, filters }: Alternative, scope: Scope, lookup: Lookup) {
  let value = walk(startOf(start, scope), steps, lookup);
  for (const filter of filters) if (value !== undefined && value !== null) value = filter(value);
  return value === undefined || isNothing(value) ? undefined : value;
}

const isNothing = (value: Json): boolean =>
  value === null || (typeof value === 'string' && isMissing(value));

function startOf(start: Start, { item, root, request }: Scope): Json | undefined {
  if (start === 'item') return item;
  if (start === 'root') return root;
  if (start === 'path') return request.path;
  if (start === 'header') return request.headers;
  const known =
    queries.get(request) ?? Object.fromEntries(new URLSearchParams(counted(request.query)));
  queries.set(request, known);
  return known;
}

/** Parsed once for all that is looked up in a request. */
const queries = new WeakMap<Scope['request'], JsonObject>();

const LOOKUP_WORK = 50;

function walk(value: Json | undefined, steps: readonly Step[], lookup: Lookup): Json | undefined {
  spend(LOOKUP_WORK);
  const direct = steps.reduce<Json | undefined>(
    (at, step) => (at === undefined ? undefined : taken(at, step, lookup)),
    value,
  );
  if (direct !== undefined || lookup === 'exact' || steps.length === 0) return direct;
  for (const inner of wrappedIn(value)) {
    const within = steps.reduce<Json | undefined>(
      (at, step) => (at === undefined ? undefined : taken(at, step, lookup)),
      inner,
    );
    if (within !== undefined) return within;
  }
  return undefined;
}

/** The objects that may be what is meant, in one that tools or relays wrap around it. */
export function wrappedIn(value: Json | undefined): readonly Json[] {
  const entered = value === undefined ? undefined : opened(value);
  if (!isObject(entered)) return [];
  const known = wrapped.get(entered) ?? wrappedInObject(entered);
  wrapped.set(entered, known);
  return known;
}

/** Looked for once in each object: every place that is not found asks for it. */
const wrapped = new WeakMap<JsonObject, readonly Json[]>();

function wrappedInObject(entered: JsonObject): readonly Json[] {
  const members = Object.values(entered);
  spend(members.length);
  if (members.length === 1) return members.map(opened).filter(isEntered);
  return WRAPPERS.flatMap((name) => {
    const member = memberOf(entered, name, 'loose');
    return member === undefined ? [] : [opened(member)].filter(isEntered);
  });
}

/** A list of one stands for its element. */
const isEntered = (value: Json): boolean =>
  isObject(value) || (Array.isArray(value) && value.length === 1);

function taken(value: Json, step: Step, lookup: Lookup): Json | undefined {
  const at = opened(value);
  if ('index' in step) {
    if (Array.isArray(at)) return at[step.index];
    return step.index === 0 ? at : undefined;
  }
  if ('member' in step) {
    if (!Array.isArray(at)) return undefined;
    spend(at.length);
    return at.find((one) => isObject(one) && isSame(memberOf(one, step.member, lookup), step.is));
  }
  const inside = Array.isArray(at) && at.length === 1 ? at[0] : at;
  return isObject(inside) ? memberOf(inside, step.name, lookup) : undefined;
}

const isSame = (value: Json | undefined, word: string): boolean =>
  asText(value)?.toLowerCase() === word.toLowerCase();

/** A string that holds JSON is entered as that. */
export function opened(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return value.length < REMEMBERED_LENGTH ? parsedFrom(value) : remembered(value);
}

function parsedFrom(text: string): Json {
  const parsed = parseJson(counted(text));
  return 'value' in parsed ? parsed.value : text;
}

const REMEMBERED_LENGTH = 1_024;
const MOST_REMEMBERED = 8;
/** What the last long texts hold, for many places are looked up in one; null: no JSON. */
const parsedTexts = new Map<string, WeakRef<object> | null>();

function remembered(text: string): Json {
  const known = parsedTexts.get(text);
  if (known === null) return text;
  // A reference to JSON is one to what it was parsed as.
  const before = known?.deref() as Json | undefined;
  if (before !== undefined) return before;
  const value = parsedFrom(text);
  const [oldest] = parsedTexts.keys();
  if (oldest !== undefined && parsedTexts.size >= MOST_REMEMBERED) parsedTexts.delete(oldest);
  parsedTexts.set(text, typeof value === 'object' && value !== null ? new WeakRef(value) : null);
  return value;
}

const NAME_WORK = 5;
/** A body may have thousands of names, and as many alerts that each look for some of them. */
const indexed = new WeakMap<JsonObject, ReadonlyMap<string, string>>();

function namesOf(of: JsonObject): ReadonlyMap<string, string> {
  const known = indexed.get(of);
  if (known !== undefined) return known;
  const names = Object.keys(of);
  spend(names.length * NAME_WORK);
  // The first of those that are alike counts.
  const index = new Map(names.toReversed().map((name) => [plainName(name), name]));
  indexed.set(of, index);
  return index;
}

function memberOf(of: JsonObject, name: string, lookup: Lookup): Json | undefined {
  if (Object.hasOwn(of, name)) return of[name];
  if (lookup === 'exact') return undefined;
  const other = namesOf(of).get(plainName(name));
  return other === undefined ? undefined : of[other];
}

/** Names are compared so, unless exactly. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

const NAMES = ['displayName', 'name', 'value'];

/** A scalar as text, a list of one as its element, an object as its name; nothing of others. */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.length === 1 ? textOf(value[0]) : undefined;
  if (isObject(value)) {
    const name = NAMES.map((one) => value[one]).find((one) => one !== undefined && one !== null);
    return name === undefined || typeof name === 'object' ? undefined : textOf(name);
  }
  const text = counted(String(value));
  return isMissing(text) ? undefined : text;
}
