import { type AlertCard, alertCard, type Pair } from '../../resources/alert-card.ts';
import type { Incident } from './incident.ts';

const DEEP = 3;
const MANY = 200;

/** What a tool has sent, as names and values; null: it is text of its own. */
export function pairsOf(details: unknown): readonly Pair[] | null {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return null;
  return flat(details, '', DEEP).slice(0, MANY);
}

/** What a tool has sent of an incident or of one of its alerts. */
export type Sent = Pick<Incident, 'title' | 'details' | 'links'>;

/**
 * What of it is read first; null: it is text of its own. Of what is over, the state that was sent when
 * it began is only in the raw text.
 */
export function cardOf({ details, title, links }: Sent, isResolved = false): AlertCard | null {
  const pairs = pairsOf(details);
  return pairs && alertCard(pairs, { title, hrefs: links.map(({ href }) => href), isResolved });
}

function flat(value: object, path: string, deep: number): readonly Pair[] {
  return Object.entries(value).flatMap(([key, one]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const isInner = typeof one === 'object' && one !== null && !Array.isArray(one) && deep > 1;
    return isInner ? flat(one, name, deep - 1) : [{ name, value: textOf(one) }];
  });
}

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ');
  return JSON.stringify(value);
}

/** As it came. */
export const rawText = (details: unknown): string =>
  typeof details === 'string' ? details : JSON.stringify(details, null, 2);

/** Only what a browser opens as a page is a link; the host says where it leads. */
export function hostOf(href: string): string | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
}
