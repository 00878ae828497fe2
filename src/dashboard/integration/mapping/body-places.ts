// The places that a form can name in the body of an event, with what stands there.
import type { Event } from '../integration.ts';

export type BodyPlace = { readonly place: string; readonly value: string };

const MOST = 200;
const DEEPEST = 6;
const LONGEST = 80;
const mail = ['subject', 'from', 'text'];

/** None of a body that is no JSON: only the server can read those. */
export function placesIn({ source, body, body_encoding }: Event): readonly BodyPlace[] {
  if (source === 'mail') return mail.map((place) => ({ place, value: '' }));
  if (body_encoding !== 'utf-8') return [];
  const root = parsed(body);
  const places: BodyPlace[] = [];
  collect(Array.isArray(root) ? root[0] : root, { at: '', depth: 0, places });
  return places;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

type Walk = { readonly at: string; readonly depth: number; readonly places: BodyPlace[] };

function collect(value: unknown, { at, depth, places }: Walk): void {
  if (places.length >= MOST || value === null) return;
  if (typeof value !== 'object') {
    if (at !== '') places.push({ place: at, value: String(value).slice(0, LONGEST) });
    return;
  }
  if (depth === DEEPEST) return;
  if (Array.isArray(value)) {
    collect(value[0] ?? null, { at: `${at}[0]`, depth: depth + 1, places });
    return;
  }
  for (const [name, member] of Object.entries(value))
    collect(member, { at: placeOf(at, name), depth: depth + 1, places });
}

function placeOf(at: string, name: string): string {
  // What the notation reads as something else stands in quotes.
  const isPlain = /^[^.[\]|>"=~{}^@\s](?:[^.[\]|>"=~{}]*[^.[\]|>"=~{}\s])?$/.test(name);
  if (!isPlain) return `${at}["${name.replaceAll('"', '')}"]`;
  return at === '' ? name : `${at}.${name}`;
}
