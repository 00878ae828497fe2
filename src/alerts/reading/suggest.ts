// A mapping proposed from what a tool sent when a problem began, and when it ended.
import { eventsLimits } from '../../limits/events.ts';
import type { Json } from '../alert.ts';
import { plain } from '../plain.ts';
import { knownAction, severityOf } from '../words.ts';
import { type BodyValue, bodyValuesOf, listsOf } from './body-values.ts';
import { isLike, isOwn, keyPlaces } from './identity.ts';
import type { Form } from './notation.ts';
import { mappingProblems } from './problems.ts';

const LONGEST_WORD = 40;
const MOST_COMPARED = 20;

/** Without members: nothing in the two tells a title, a state, or a key that both have. */
export function suggestedForm(firing: Json, recovered: Json): Form {
  const [one, other] = likest(elementsOf(firing), elementsOf(recovered));
  const whole = compared(one, other);
  const others = new Map(listsOf(other).map(({ place, list }) => [place, list]));
  for (const { place, list } of listsOf(one).slice(0, MOST_COMPARED)) {
    const ended = others.get(place);
    if (ended === undefined || !isWritable({ each: place, title: ['a'] })) continue;
    const inner = compared(...likest(list, ended));
    const around = outsideOf(place, whole);
    if (isOfAlerts(place, inner, around)) return { each: place, ...formOf(inner, around) };
  }
  return formOf(whole);
}

type Compared = {
  readonly before: readonly BodyValue[];
  readonly after: ReadonlyMap<string, string>;
};

function compared(firing: Json, recovered: Json): Compared {
  const after = new Map(bodyValuesOf(recovered).map((leaf) => [leaf.place, leaf.text]));
  return { before: bodyValuesOf(firing).filter(isPlace), after };
}

/** What stands around a list, as places in one of its elements name it. */
function outsideOf(list: string, { before, after }: Compared): Compared {
  const outer = before
    .filter(({ place }) => !place.startsWith(`${list}[`))
    .map((leaf) => ({ ...leaf, place: `^${leaf.place}` }));
  return {
    before: outer.filter(isPlace),
    after: new Map([...after].map(([place, text]) => [`^${place}`, text])),
  };
}

const nothing: Compared = { before: [], after: new Map() };

/** `around`: a list, whose elements are alerts of their own. */
function formOf(inner: Compared, around: Compared = nothing): Form {
  const before = [...inner.before, ...around.before];
  const after = new Map([...inner.after, ...around.after]);
  const state = best(
    before.filter((leaf) => isStateOf(leaf, after.get(leaf.place))),
    stateRank,
  );
  const key = keyPlaces(sameIn(inner), sameIn(around));
  const title = best(inner.before, titleRank) ?? best(around.before, titleRank);
  const severity = before.find((leaf) => isSeverity(leaf) && leaf !== state);
  return {
    ...(title && { title: [title.place] }),
    ...(key.length > 0 && { key: [key] }),
    ...(state && { state: [stateRuleOf(state, after.get(state.place) ?? '')] }),
    ...(severity && { severity: { at: [severity.place] } }),
  };
}

const sameIn = ({ before, after }: Compared): readonly BodyValue[] =>
  before.filter(({ place, text }) => after.get(place) === text);

const elementsOf = (json: Json): readonly Json[] => (Array.isArray(json) ? json : [json]);

/** Of two lists the two that have most in common: they are of one problem. */
function likest(some: readonly Json[], others: readonly Json[]): readonly [Json, Json] {
  const known = others.slice(0, MOST_COMPARED).map((other) => ({
    other,
    texts: new Map(bodyValuesOf(other).map(({ place, text }) => [place, text])),
  }));
  let most: { readonly pair: readonly [Json, Json]; readonly weight: number } | undefined;
  for (const one of some.slice(0, MOST_COMPARED)) {
    const leaves = bodyValuesOf(one);
    for (const { other, texts } of known) {
      const same = leaves.filter(({ place, text }) => texts.get(place) === text);
      // A host in common says more than any number of words.
      const weight = same.length + leaves.length * same.filter(isLike).length;
      if (most === undefined || weight > most.weight) most = { pair: [one, other], weight };
    }
  }
  return most?.pair ?? [null, null];
}

const ALERTS = /(?:^|[._])(?:alerts|alarms|events|problems|incidents|issues|notifications)$/i;

/** Whether the elements of a list are alerts of their own, and not parts of one that is around. */
function isOfAlerts(place: string, inner: Compared, around: Compared): boolean {
  const [own, outer] = [sameIn(inner), sameIn(around)];
  if (outer.some((leaf) => isOwn(leaf) && !leaf.isListed)) return false;
  const isKeyed = keyPlaces(own).length > 0;
  if (isKeyed && ALERTS.test(place)) return true;
  const isAlone = keyPlaces(outer).length === 0 && !hasState(around);
  return hasState(inner) && (isKeyed || isAlone);
}

const hasState = ({ before, after }: Compared): boolean =>
  before.some((leaf) => STATE_NAME.test(leaf.name) && isStateOf(leaf, after.get(leaf.place)));

/** Not every name can be written as a place. */
function isPlace({ place }: BodyValue): boolean {
  return isWritable({ title: [place], key: [[place]], until: [place] }, place);
}

function isWritable(form: Form, place = form.each ?? ''): boolean {
  return place.length <= eventsLimits.mappingText && mappingProblems([form]).length === 0;
}

const stateRuleOf = ({ place, text }: BodyValue, recovered: string) => ({
  at: [place],
  trigger: wordOf(text),
  resolve: wordOf(recovered),
});

/** Words are written with blanks between them: a word of several is written as one. */
const wordOf = (text: string): string => plain(text) || text.replace(/\s+/g, '');

function isStateOf({ text }: BodyValue, recovered: string | undefined): boolean {
  if (recovered === undefined || recovered === text) return false;
  return isWord(text) && isWord(recovered) && wordOf(text) !== wordOf(recovered);
}

// A time, a count or an id changes too, and says nothing.
const isWord = (text: string): boolean =>
  text.length <= LONGEST_WORD && /^(?:[01]|true|false|[\p{L}][\p{L}\s_-]*)$/u.test(text.trim());

const STATE_NAME =
  /^(?:.*[._-])?(?:status|state|action|event|eventtype|type|condition|alertstatus)$/i;
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

function stateRank({ name, text }: BodyValue): number {
  return (STATE_NAME.test(name) ? 0 : 2) + (knownAction(text) === undefined ? 1 : 0);
}

function titleRank({ name }: BodyValue): number | undefined {
  const rank = TITLE_NAMES.indexOf(name.toLowerCase());
  return rank < 0 ? undefined : rank;
}

const isSeverity = ({ name, text }: BodyValue): boolean =>
  /severity|level|criticality/i.test(name) && severityOf(text) !== undefined;

/** The leaf of the lowest rank; of those, the one nearest the top. */
function best(
  leaves: readonly BodyValue[],
  rankOf: (leaf: BodyValue) => number | undefined,
): BodyValue | undefined {
  let lowest: { leaf: BodyValue; rank: number } | undefined;
  for (const leaf of leaves) {
    const rank = rankOf(leaf);
    if (rank !== undefined && (lowest === undefined || rank < lowest.rank)) lowest = { leaf, rank };
  }
  return lowest?.leaf;
}
