// What one request says of many alerts of an incident is one entry of its timeline.
import { counted } from '../resources/plural.ts';
import type { Entry } from './incident.ts';

/** Of many alerts. */
export const titlesNamed = 3;

type Text = (alerts: number, titles: string, first: Entry) => string;

const texts: Readonly<Record<string, Text>> = {
  alert_joined: (alerts, titles, first) =>
    `${counted(alerts, 'alert')} joined${groupedBy(about(first).rule)}: ${titles}`,
  alert_resolved: (alerts, titles) => `${counted(alerts, 'alert')} ended: ${titles}`,
  // Each alert of a group has the note of the whole group.
  alert_note: (_alerts, _titles, { text }) => text,
  suppressed: (alerts) => `${counted(alerts, 'alert')} arrived again, so nobody is paged for them`,
};

type AboutAlert = {
  readonly event_id?: string;
  readonly title?: string;
  /** Of an entry of several alerts: of the first, and how many there are. */
  readonly titles?: readonly string[];
  readonly alerts?: number;
  /** Of the rule that groups it. */
  readonly rule_id?: string;
  readonly rule?: string;
};

/** What the timeline says of the rule by which an alert joined; nothing where its integration groups. */
export const groupedBy = (ruleName: string | undefined): string =>
  ruleName === undefined ? '' : `, grouped by the rule ${ruleName}`;

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
  const { event_id, rule_id } = about(one);
  return `${one.incident_id} ${one.type} ${event_id} ${rule_id} ${note}`;
};

function combined<One extends Entry>(first: One, all: readonly Entry[]): One {
  const titles = all.map((one) => about(one).title ?? '');
  const more = titles.length - titlesNamed;
  const firstTitles = titles.slice(0, titlesNamed);
  const named = [...firstTitles, ...(more > 0 ? [`${more} more`] : [])];
  const { event_id, rule_id, rule } = about(first);
  const details = {
    ...(event_id !== undefined && { event_id }),
    ...(rule_id !== undefined && { rule_id, rule }),
    alerts: all.length,
    titles: firstTitles,
  };
  const text = texts[first.type]?.(all.length, named.join(', '), first) ?? first.text;
  return { ...first, text, details };
}

/** The titles that an entry names, of one alert or of several. */
export function titlesIn(details: unknown): readonly string[] {
  const { title, titles = [] } = (details ?? {}) as AboutAlert;
  return title === undefined ? titles : [title];
}
