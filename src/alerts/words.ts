import { eventsLimits } from '../limits/events.ts';
import type { Action, Json, JsonObject, Link, Priority, Severity } from './alert.ts';
import { isObject, oneLine, titleOf } from './text.ts';

const ASCII = /^[ -~]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

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

const actions = table<Action>({
  // German, French, Spanish, Portuguese, Italian, Dutch, Japanese and Chinese words are those that
  // tools show in these languages.
  trigger: `trigger triggered firing fired alerting alert problem down offline failed failure failing
    critical error open opened new breached störung ausgefallen problème panne problema caído caída
    fallo falha guasto storing probleem 障害 異常 ダウン 故障 问题 异常 宕机`,
  acknowledge: 'acknowledge acknowledged ack',
  resolve: `resolve resolved ok okay recovery recovered recover clear cleared close closed up
    normal success succeeded successful fixed healthy inactive online passed passing solved
    behoben gelöst erreichbar résolu rétabli resuelto recuperado resolvido normalizado risolto
    ripristinato opgelost hersteld 復旧 解決 正常 恢复 已解决 已恢复`,
});

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

export const knownAction = (value: Json | undefined): Action | undefined =>
  actions.get(plain(value));

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

/**
 * A word without case, accents, spaces, `_` and `-`, as words are compared, in whichever of their
 * forms its characters are written; blank for what is no word.
 */
export function plain(value: Json | undefined): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > 100) return '';
  const letters = ASCII.test(value) ? value : value.normalize('NFKD').replace(ACCENTS, '');
  return letters.toLowerCase().replace(/[\s_-]/g, '');
}

function table<Word extends string>(words: Record<Word, string>): ReadonlyMap<string, Word> {
  const entries = new Map<string, Word>();
  // Object.entries forgets that the keys are the words.
  for (const [word, listed] of Object.entries(words) as [Word, string][])
    for (const each of listed.split(/\s+/)) entries.set(plain(each), word);
  return entries;
}
