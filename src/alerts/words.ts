import { eventsLimits } from '../limits/events.ts';
import type { Action, Json, JsonObject, Link, Priority, Severity } from './alert.ts';
import { type Mark, markOf } from './marks/meaning.ts';
import { plain } from './plain.ts';
import { senseOf } from './senses.ts';
import { isObject, oneLine, titleOf } from './text.ts';

const severities = table<Severity>({
  sev1: `sev0 sev1 p1 1 critical crit fatal disaster emergency emerg panic alert highest down
    failure`,
  sev2: 'sev2 p2 2 error err high major severe',
  sev3: `sev3 sev4 sev5 p3 p4 p5 3 warning warn average medium moderate minor low lowest
    info information informational notice unknown debug`,
});

const priorities = table<Priority>({
  p1: 'p1 1 critical highest urgent sev1',
  p2: 'p2 2 high error sev2',
  p3: 'p3 3 medium moderate normal warning average sev3',
  p4: 'p4 4 low minor',
  p5: 'p5 5 lowest info information informational',
});

/** Words that are no state in a text, and in a field for states say that a problem begins. */
const beginnings: ReadonlySet<string> = new Set(
  `alert problem critical error failure open opened new trigger störung problème panne problema fallo falha
    guasto storing probleem problém ongelma awaria проблема авария сбой sorun πρόβλημα 障害 故障 问题 異常 异常 장애`
    .split(/\s+/)
    .map(plain),
);

/** The severity that a tool's word stands for; undefined for an unknown word. */
export function severityOf(value: Json | undefined): Severity | undefined {
  return severities.get(plain(value));
}

export function priorityOf(value: Json | undefined): Priority | undefined {
  return priorities.get(plain(value));
}

/** The action that a tool's word for a state stands for; an unknown word triggers. */
export function actionOf(value: Json | undefined): Action {
  return knownAction(value) ?? 'trigger';
}

/** Words on their own, and what tools put around them: *[RESOLVED]*, *alert.resolved*. */
export function knownAction(value: Json | undefined): Action | undefined {
  const word = plain(value);
  if (word === '') return undefined;
  if (beginnings.has(word)) return 'trigger';
  if (typeof value !== 'string') return undefined;
  const parted = value.replace(BETWEEN, ' ').replace(BY, '');
  const mark = markOf(value, 'field') ?? markOf(parted, 'field');
  return mark === undefined ? undefined : actionOfMark[mark];
}

/** That of a field for the state of an alert, where *running* and *ended* are ends too. */
export function statusAction(value: Json | undefined): Action {
  const known = knownAction(value);
  if (known !== undefined || typeof value !== 'string') return known ?? 'trigger';
  const sense = senseOf(value);
  return (sense === 'well' || sense === 'over') && plain(value) !== 'inactive'
    ? 'resolve'
    : 'trigger';
}

const BY = /\sby\s.*$/i;
const BETWEEN = /[._[\]]+|(?<=\p{L})-(?=\p{L})/gu;

const actionOfMark: Readonly<Partial<Record<Mark, Action>>> = {
  end: 'resolve',
  trouble: 'trigger',
  acknowledge: 'acknowledge',
};

/** The links and images among what a tool lists as such: http and https only. */
export function linksOf(value: Json | undefined): readonly Link[] {
  const listed = Array.isArray(value) ? value : [value];
  return listed.slice(0, eventsLimits.links).flatMap((each) => {
    if (!isObject(each)) return linkOf(each, undefined);
    const links = linkNames.flatMap((name) => linkOf(each[name], textOfLink(each))).slice(0, 1);
    // An image may lead somewhere else by a click.
    const images = linkOf(each['src'] ?? each['image_url'], textOfLink(each) ?? 'Image');
    return linksOnce([...links, ...images]);
  });
}

const linkNames = ['href', 'url', 'link', 'uri'];
const textNames = ['text', 'title', 'label', 'name', 'alt', 'alt_text', 'type'];

const textOfLink = (each: JsonObject): Json | undefined =>
  textNames.map((name) => each[name]).find((text) => typeof text === 'string' && text !== '');

/** Each address once. */
export const linksOnce = (links: readonly Link[]): readonly Link[] =>
  [...new Map(links.toReversed().map((link) => [link.href, link])).values()]
    .toReversed()
    .slice(0, eventsLimits.links);

/** The link, unless it leads nowhere that a browser should go by a click. */
export function linkOf(href: Json | undefined, text: Json | undefined): readonly Link[] {
  if (typeof href !== 'string' || href.length > eventsLimits.linkLength) return [];
  const address = URL.parse(href.trim());
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return [];
  const label = typeof text === 'string' ? titleOf(oneLine(text)) : '';
  return [{ href: href.trim(), ...(label !== '' && { text: label }) }];
}

function table<Word extends string>(words: Record<Word, string>): ReadonlyMap<string, Word> {
  const entries = new Map<string, Word>();
  // Object.entries forgets that the keys are the words.
  for (const [word, listed] of Object.entries(words) as [Word, string][])
    for (const each of listed.split(/\s+/)) entries.set(plain(each), word);
  return entries;
}
