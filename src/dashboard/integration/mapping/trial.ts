// What trying a mapping on past events answers, and what of each event it would change.
export type Alert = {
  readonly action: 'trigger' | 'acknowledge' | 'resolve';
  readonly dedup_key: string;
  readonly title: string;
  readonly severity?: string;
  readonly priority?: string;
};
export type Reading = { readonly alerts: readonly Alert[]; readonly note?: string };
export type Finding = {
  readonly at: string;
  readonly place: string;
  readonly value: string | null;
};
export type TriedEvent = {
  /** Absent: of a body that no event brought. */
  readonly event_id?: string;
  readonly received_at: string;
  readonly now: Reading;
  readonly proposed: Reading;
  readonly places: readonly Finding[];
};
export type Counts = {
  readonly resolves: number;
  readonly resolves_met: number;
  readonly keys: number;
  readonly has_one_key: boolean;
};
export type Trial = {
  readonly data: readonly TriedEvent[];
  readonly now: Counts;
  readonly proposed: Counts;
  readonly open_incidents_rekeyed: number;
};

export type Part = 'title' | 'action' | 'dedup_key' | 'severity' | 'priority' | 'note';
export type Row = {
  readonly part: Part;
  /** Of the event's alerts, from 0. */
  readonly alert: number;
  readonly now: string | undefined;
  readonly proposed: string | undefined;
};

const parts = ['title', 'action', 'dedup_key', 'severity', 'priority'] as const;
const SHOWN = 3;

/** Of its first alerts, what at least one of the readings says. */
export function rowsOf({ now, proposed }: TriedEvent): readonly Row[] {
  const count = Math.min(Math.max(now.alerts.length, proposed.alerts.length), SHOWN);
  const ofAlerts = Array.from({ length: count }, (_, alert) =>
    parts.map((part) => ({
      part,
      alert,
      now: now.alerts[alert]?.[part],
      proposed: proposed.alerts[alert]?.[part],
    })),
  );
  const note: Row = { part: 'note', alert: 0, now: now.note, proposed: proposed.note };
  return [...ofAlerts.flat(), note].filter(
    (row) => row.now !== undefined || row.proposed !== undefined,
  );
}

export const isChanged = ({ now, proposed }: Row): boolean => now !== proposed;

/** The same event, as the log has it. */
export const isSentAs =
  (event: TriedEvent | undefined) =>
  ({ id }: { readonly id: string }): boolean =>
    id === event?.event_id;

export const isReadAnew = (event: TriedEvent): boolean =>
  JSON.stringify(event.now) !== JSON.stringify(event.proposed);

/** What stands at a place of the mapping in one event; undefined: it was not looked for there. */
export function valueIn(
  event: TriedEvent | undefined,
  { at, place }: Pick<Finding, 'at' | 'place'>,
): string | null | undefined {
  return event?.places.find((one) => one.at === at && one.place === place)?.value;
}
