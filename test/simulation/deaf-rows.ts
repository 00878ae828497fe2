// When no server of a simulated world took events, in memory: as PostgreSQL has it.
import { refusalHeader } from '../../src/alerts/refused.ts';
import { firstIdAt } from '../../src/engine/ids.ts';
import type { Refusing } from '../../src/engine/intake/refused-spells.ts';
import type { Decision, StoredEvent } from '../../src/engine/ports/events.ts';
import type { Incident } from '../../src/incidents/incident.ts';
import type { Spell } from '../../src/incidents/missed-events.ts';
import type { MemoryLedger } from '../../src/what-if/memory/ledger.ts';
import type { Lock } from './transactions.ts';

type SpellRow = Spell & { readonly organizationId: string; readonly integrationId: string };

export type DeafRows = Pick<MemoryLedger, 'put'> & {
  readonly events: ReadonlyMap<
    string,
    { readonly event: StoredEvent; readonly decision: Decision | null }
  >;
  readonly spells: Map<string, SpellRow>;
  /** When a server was last there, under the one name that there is. */
  readonly presence: Map<'last', Temporal.Instant>;
};

export const presenceLocks: readonly Lock[] = ['presence last'];

const ABSENCE = { seconds: 30 } as const;

const compare = Temporal.Instant.compare;
const later = (one: Temporal.Instant, other: Temporal.Instant) =>
  compare(one, other) < 0 ? other : one;

export function deafIn(
  { spells, presence }: DeafRows,
  incidents: readonly Incident[],
  now: Temporal.Instant,
): ReadonlyMap<string, readonly Spell[]> {
  const last = presence.get('last');
  const isGone = last !== undefined && compare(last, now.subtract(ABSENCE)) < 0;
  const gone = isGone ? [{ organizationId: '', integrationId: '', from: last, to: now }] : [];
  const all = [...spells.values(), ...gone];
  const own = incidents.map((incident) => {
    const { id, organization_id, source_integration_id, escalation } = incident;
    const since = escalation.heardAt ?? now.subtract({ hours: 24 });
    const heard = all
      .filter(({ organizationId, integrationId }) =>
        integrationId === ''
          ? organizationId === ''
          : organizationId === organization_id && integrationId === source_integration_id,
      )
      .filter(({ to }) => compare(to, since) > 0)
      .map(({ from, to }) => ({ from, to }))
      .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
    return [id, heard] as const;
  });
  return new Map(own.filter(([, heard]) => heard.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Servers were there until now. */
export function stayIn(ledger: DeafRows, now: Temporal.Instant): void {
  ledger.put(ledger.presence, 'last', later(ledger.presence.get('last') ?? now, now));
}

/** A server is there again; if none was for a while, that was a spell. */
export function returnIn(ledger: DeafRows, now: Temporal.Instant): void {
  const last = ledger.presence.get('last');
  if (last !== undefined && compare(last, now.subtract(ABSENCE)) < 0) {
    const row = { organizationId: '', integrationId: '', from: last, to: now };
    const name = nameOf(row);
    if (!ledger.spells.has(name)) ledger.put(ledger.spells, name, row);
  }
  stayIn(ledger, now);
}

/** Answers the integrations of which an event was taken since. */
export function refuseIn(ledger: DeafRows, refusing: readonly Refusing[]): ReadonlySet<string> {
  const ended = refusing.map((one) => ({ one, takenAt: takenSince(ledger, one) }));
  for (const { one, takenAt } of ended) {
    const end = takenAt !== null && compare(takenAt, one.to) < 0 ? takenAt : one.to;
    const to = later(one.from, end);
    const before = ledger.spells.get(nameOf(one));
    ledger.put(ledger.spells, nameOf(one), { ...one, to: before ? later(before.to, to) : to });
  }
  return new Set(
    ended.flatMap(({ one, takenAt }) => (takenAt === null ? [] : [one.integrationId])),
  );
}

function takenSince({ events }: DeafRows, { integrationId, from }: Refusing) {
  const firstId = firstIdAt(from);
  const [first] = [...events.values()]
    .filter(({ event }) => event.integration_id === integrationId && event.id >= firstId)
    .filter(({ event }) => compare(event.received_at, from) >= 0)
    .filter(({ decision }) => decision?.outcome !== 'refused')
    .filter(({ event }) => event.headers?.[refusalHeader] === undefined)
    .sort((a, b) => (a.event.id < b.event.id ? -1 : 1));
  return first?.event.received_at ?? null;
}

const nameOf = ({ organizationId, integrationId, from }: Omit<SpellRow, 'to'>): string =>
  `${organizationId} ${integrationId} ${from}`;
