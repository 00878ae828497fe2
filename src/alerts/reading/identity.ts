// Which fields of a body tell its problem from others, by what they are called.
import { eventsLimits } from '../../limits/events.ts';
import type { Json } from '../alert.ts';
import { canonical } from '../body/json.ts';
import { shortHash } from '../hash.ts';
import { type BodyValue, bodyValuesOf, plainWords } from './body-values.ts';
import { unmeasured } from './measured.ts';
import { namedTitleWithoutState, titleWithoutState } from './title-without-state.ts';

const LONGEST = 200;

/** The problem's own, such as `incident_id`, `problem.key`, `eventGroupId`. */
const OWN =
  /(?:^|_)(?:incident|problem|alert|alarm|event_?group)s?_?(?:id|uid|uuid|guid|key|number)$|(?:^|_)(?:alias|fingerprint|dedup(?:lication)?(?:_?(?:id|key))?)$/;

const ID = /(?:^|_)(?:id|uid|uuid|guid|key|ref)$/;
const NAMED =
  /monitor|check|rule|host|service|device|name|resource|instance|target|component|node|probe|sensor|metric|trigger|job|cluster|pod|container|disk|mount|interface|queue|endpoint|database|object|entity/;
/** What is said of it, which changes. */
const CHANGING =
  /(?:^|_)(?:at|time|timestamp|date|status|state|message|output|description|text|summary|severity|priority|level|count|value|duration)$/;
/** Whose it is: many problems share it. */
const SCOPE =
  /(?:^|_)(?:account|tenant|org|organi[sz]ation|customer|client|company|team|project|subscription|workspace|owner|user|region|env|environment|integration|webhook|policy|receiver|tool|product)(?:_?(?:id|uid|uuid|guid|key|name|slug|number|ref))?$/;

/**
 * Of what is the same when a problem begins and when it ends, what is the key together: all that
 * are like an id, for of these any may be what tells it from another problem; unless one is the
 * problem's own. None where they say only whose it is, or stand only around a list of alerts.
 */
export function keyPlaces(
  same: readonly BodyValue[],
  around: readonly BodyValue[] = [],
): readonly string[] {
  const own = same.find(isOwn);
  if (own !== undefined) return [own.place];
  const like = same.filter(isLike);
  const [unlisted, listed] = [like.filter((leaf) => !leaf.isListed), like];
  const of = [unlisted, listed].find((some) => some.some((leaf) => !SCOPE.test(qualified(leaf))));
  if (of === undefined) return [];
  const outer = around.filter((leaf) => isLike(leaf) && !leaf.isListed);
  return [...outer, ...of].map(({ place }) => place).slice(0, eventsLimits.mappingAlternatives);
}

/** Its value alone is the problem's. */
export const isOwn = (leaf: BodyValue): boolean => OWN.test(qualified(leaf)) && isShort(leaf);

export const isLike = (leaf: BodyValue): boolean => {
  const name = plainWords(leaf.name);
  return isShort(leaf) && !CHANGING.test(name) && (ID.test(name) || NAMED.test(name));
};

const isShort = ({ text }: BodyValue): boolean => text.length <= LONGEST;

/** A bare `id` or `name` is that of what it stands in. */
function qualified({ name, parent }: BodyValue): string {
  const own = plainWords(name);
  return /^(?:id|uid|uuid|guid|key|name|slug|number|ref)$/.test(own) && parent !== ''
    ? `${plainWords(parent)}_${own}`
    : own;
}

/**
 * A key of a message that no form knows: its title without marks of state, and whatever in it is
 * called like the name of something, since two problems may have one title. Nothing where neither tells.
 */
export function keyOfUnknown(title: string, item: Json): string {
  // What is measured is another in each message of one problem.
  const stem = titleWithoutState(unmeasured(title)) || titleWithoutState(title);
  const names = bodyValuesOf(item).filter((leaf) => {
    const name = plainWords(leaf.name);
    const isName = NAMED.test(name) && !CHANGING.test(name) && !ID.test(name);
    // A number is what was measured, whatever it is called.
    return isName && isShort(leaf) && leaf.text !== title && !/^[-+.\d\s%]+$/.test(leaf.text);
  });
  if (names.length === 0) return namedTitleWithoutState(title) && stem;
  return `${stem} | ${shortHash(canonical(names.map(({ place, text }) => [place, text])))}`;
}
