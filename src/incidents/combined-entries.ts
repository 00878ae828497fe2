// What one request says of many alerts of an incident is one entry of its timeline.
import { counted } from '../resources/plural.ts';
import type { Entry } from './incident.ts';

const titlesNamed = 3;

const texts: Readonly<Record<string, (alerts: number, titles: string, text: string) => string>> = {
  alert_joined: (alerts, titles) => `${counted(alerts, 'alert')} joined: ${titles}`,
  alert_resolved: (alerts, titles) => `${counted(alerts, 'alert')} ended: ${titles}`,
  // Each alert of a group has the note of the whole group.
  alert_note: (_alerts, _titles, text) => text,
  suppressed: (alerts) => `${counted(alerts, 'alert')} arrived again, so nobody is paged for them`,
};

type AboutAlert = { readonly event_id?: string; readonly title?: string };

/** Entries of the same type, incident and event are one, in the place of the first. */
export function combineEntries<One extends Entry>(entries: readonly One[]): readonly One[] {
  const together = Map.groupBy(
    entries.filter(({ type }) => type in texts),
    keyOf,
  );
  return entries.flatMap((one) => {
    const all = one.type in texts ? (together.get(keyOf(one)) ?? []) : [];
    if (all.length < 2) return [one];
    return all[0] === one ? [combined(one, all)] : [];
  });
}

const about = ({ details }: Entry): AboutAlert => (details ?? {}) as AboutAlert;

const keyOf = (one: Entry): string => {
  const note = one.type === 'alert_note' ? one.text : '';
  return `${one.incident_id} ${one.type} ${about(one).event_id} ${note}`;
};

function combined<One extends Entry>(first: One, all: readonly Entry[]): One {
  const titles = all.map((one) => about(one).title ?? '');
  const more = titles.length - titlesNamed;
  const named = [...titles.slice(0, titlesNamed), ...(more > 0 ? [`${more} more`] : [])];
  const { event_id } = about(first);
  const details = { ...(event_id !== undefined && { event_id }), alerts: all.length };
  const text = texts[first.type]?.(all.length, named.join(', '), first.text) ?? first.text;
  return { ...first, text, details };
}
