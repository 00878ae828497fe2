import { pageKinds } from '../../incidents/incident.ts';
import type { ChainedEntry, Head, Mac } from '../ledger/chain.ts';
import { breaks, type Link } from './links.ts';
import { halted } from './timers.ts';

/** The tables that are gone through, each in the order of its organisations and of this column. */
export const walks = {
  incidents: 'id',
  timeline_heads: 'incident_id',
  outbox: 'key',
  attempts: 'key',
  shifts: 'id',
} as const;
export type Walk = keyof typeof walks;

/** A stored row, or what is wrong with it. */
export type AuditRow = Readonly<Record<string, unknown>>;

/** Something that is true of a sound ledger. */
export type Check = {
  readonly name: string;
  readonly description: string;
  readonly over: Walk;
  /** Selects, of the rows of `slice`, those that break it; `chains` tells since when there are chains. */
  readonly sql: string;
  /** For what SQL cannot tell: which of the selected rows break it. */
  readonly filter?: (rows: AsyncIterable<AuditRow>, mac: Mac) => AsyncIterable<AuditRow>;
};

const pageKindsSql = pageKinds.map((kind) => `'${kind}'`).join(', ');

export const checks: readonly Check[] = [
  {
    name: 'open_incidents_go_on',
    description: 'Every open incident wakes at its next timer, and has one while steps are left.',
    over: 'incidents',
    sql: `
      select s.organization_id, s.id as incident_id, s.number, s.status, s.wake_at, s.muted_until,
        s.escalation, s.steps
      from slice s where s.status <> 'resolved'`,
    filter: halted,
  },
  {
    name: 'incidents_have_their_alerts',
    description: 'Every incident has as many alerts, and as many active ones, as it counts.',
    over: 'incidents',
    sql: `
      select s.organization_id, s.id as incident_id, s.number, s.alerts_total, s.alerts_firing,
        a.total, a.firing
      from slice s
      cross join lateral (
        select count(*) as total, count(*) filter (where a.state = 'firing') as firing
        from incident_alerts a where a.organization_id = s.organization_id and a.incident_id = s.id
      ) a
      where s.alerts_total is not null
        and (s.alerts_total, s.alerts_firing) is distinct from (a.total, a.firing)`,
  },
  {
    name: 'nothing_claimed_once_acknowledged',
    description: 'No page is claimed while its incident is acknowledged or resolved.',
    over: 'incidents',
    // Both a claim and an acknowledgement lock the incident, so the count of entries orders them;
    // the clocks of servers do not.
    sql: `
      select a.organization_id, a.key, a.number, a.claimed_at, e.id as entry_id, e.type, e.at
      from (
        select t.organization_id, t.incident_id, t.id, t.type, t.at, t.sequence,
          lead(t.sequence, 1, 2147483647) over (
            partition by t.organization_id, t.incident_id order by t.sequence) as next_sequence
        from slice s
        join timeline t on t.organization_id = s.organization_id and t.incident_id = s.id
        where t.sequence > 0 and t.type in
          ('acknowledged', 'unacknowledged', 'escalated', 'resolved', 'merged', 'reopened')
      ) e
      join outbox o on o.organization_id = e.organization_id and o.incident_id = e.incident_id
      join attempts a on a.organization_id = o.organization_id and a.key = o.key
      where e.type in ('acknowledged', 'resolved', 'merged')
        and o.kind in (${pageKindsSql})
        and a.entries_before >= e.sequence and a.entries_before < e.next_sequence`,
  },
  {
    name: 'nothing_sent_after_its_confirmation',
    description: 'No notice is claimed again after it was recorded as delivered.',
    over: 'outbox',
    sql: `
      select a.organization_id, a.key, a.number, a.claimed_at, c.finished_at as confirmed_at
      from slice s
      join attempts c on c.organization_id = s.organization_id and c.key = s.key
      join attempts a on a.organization_id = s.organization_id and a.key = s.key
      where c.outcome = 'delivered' and a.number > c.attempts_claimed`,
  },
  {
    name: 'notices_agree_with_their_attempts',
    description: 'The state of every notice follows from its attempts.',
    over: 'outbox',
    sql: `
      select s.organization_id, s.key, s.state, c.problem
      from slice s
      cross join lateral (
        select count(*) as tries, count(*) filter (where a.outcome in ('delivered', 'unconfirmed')) as delivered,
          (array_agg(a.outcome order by a.number desc))[1] as last
        from attempts a where a.organization_id = s.organization_id and a.key = s.key
      ) a
      cross join lateral (select case
        when a.tries <> s.attempts then s.attempts || ' attempts are counted, ' || a.tries || ' kept'
        when s.state = 'sent' and a.delivered = 0 then 'no attempt was delivered'
        when s.state = 'pending' and a.delivered > 0 then 'an attempt was delivered'
        when s.state = 'failed' and a.last is distinct from 'failed' then 'the last did not fail'
        when s.state in ('failed', 'cancelled') and s.reason is null then 'there is no reason'
        when (s.state = 'pending') <> (s.wake_at is not null) then 'the next try does not fit'
        when (s.state = 'pending') <> (s.finished_at is null) then 'the end does not fit'
      end as problem) c
      where c.problem is not null`,
  },
  {
    name: 'attempts_have_their_notice',
    description: 'Every attempt belongs to a notice.',
    over: 'attempts',
    sql: `
      select s.organization_id, s.key, s.number, s.claimed_at from slice s
      where not exists (
        select from outbox o where o.organization_id = s.organization_id and o.key = s.key)`,
  },
  {
    name: 'shifts_have_their_edges',
    description: 'Every shift has one start event, and one end event unless it is running.',
    over: 'shifts',
    sql: `
      select s.organization_id, s.id as shift_id, s.oncall_schedule_id, e.starts, e.ends
      from slice s
      join shift_cursors w on w.organization_id = s.organization_id
        and w.oncall_schedule_id = s.oncall_schedule_id
      cross join lateral (
        select count(*) filter (where e.type = 'start') as starts,
          count(*) filter (where e.type = 'end') as ends
        from shift_events e where e.organization_id = s.organization_id and e.shift_id = s.id
      ) e
      where e.starts <> 1 or e.ends <> case when w.shift_id = s.id then 0 else 1 end`,
  },
  {
    name: 'chains_are_whole',
    description: 'No timeline was changed, or removed in part, without the secret key.',
    over: 'timeline_heads',
    sql: `
      select s.organization_id, s.incident_id, s.entries, s.mac as head_mac, s.seal,
        s.removed_entries, s.removed_mac, s.removed_at, s.removal_seal,
        t.id, t.at, t.type, t.text, t.actor, t.details, t.sequence, t.mac
      from slice s
      left join timeline t on t.organization_id = s.organization_id
        and t.incident_id = s.incident_id and t.sequence > 0
      order by s.organization_id, s.incident_id, t.sequence`,
    filter: (rows, mac) => breaks(linksOf(rows), mac),
  },
  {
    name: 'chains_have_their_incident',
    description: 'Every chained timeline has its incident.',
    over: 'timeline_heads',
    sql: `
      select s.organization_id, s.incident_id, s.entries from slice s
      where not exists (
        select from incidents i
        where i.organization_id = s.organization_id and i.id = s.incident_id)`,
  },
  {
    name: 'incidents_are_all_there',
    description: 'Numbers of incidents have no gap, up to the last one assigned.',
    over: 'incidents',
    sql: `
      select s.organization_id, s.id as incident_id, s.number, c.last as last_given
      from slice s
      left join counters c on c.organization_id = s.organization_id and c.kind = 'incident'
      where s.number > 1 and not exists (
          select from incidents i
          where i.organization_id = s.organization_id and i.number = s.number - 1)
        or s.number is distinct from c.last and not exists (
          select from incidents i
          where i.organization_id = s.organization_id and i.number > s.number)`,
  },
  {
    name: 'incidents_have_their_chain',
    description: 'Every incident and entry since chaining began is in a chain with a head.',
    over: 'incidents',
    sql: `
      select s.organization_id, s.id as incident_id, null as entry_id
      from slice s
      where not exists (
          select from timeline_heads h
          where h.organization_id = s.organization_id and h.incident_id = s.id)
        and (s.created_at >= (select began_at from chains) or exists (
          select from timeline t
          where t.organization_id = s.organization_id and t.incident_id = s.id
            and t.sequence > 0))
      union all
      select s.organization_id, s.id, t.id
      from slice s
      join timeline t on t.organization_id = s.organization_id and t.incident_id = s.id
      where t.sequence <= 0 and greatest(s.created_at, t.at) >= (select began_at from chains)`,
  },
];

type LinkRow = Omit<Head, 'mac'> &
  RemovalRow & { readonly head_mac: string } & Omit<ChainedEntry, 'sequence'> & {
    readonly sequence: number | null;
  };
type RemovalRow = {
  readonly removed_entries: number | null;
  readonly removed_mac: string | null;
  readonly removed_at: Temporal.Instant | null;
  readonly removal_seal: string | null;
};

async function* linksOf(rows: AsyncIterable<AuditRow>): AsyncGenerator<Link> {
  for await (const row of rows) {
    // As the check selects them.
    const { entries, head_mac, seal, sequence, ...entry } = row as LinkRow;
    const { organization_id, incident_id } = entry;
    const own = { organization_id, incident_id, entries, mac: head_mac, seal };
    const head = { ...own, removal: removalIn(entry) };
    yield { head, entry: sequence === null ? null : { ...entry, sequence } };
  }
}

/** Null: nothing was removed. What is there in part was not written by a server. */
function removalIn({ removed_entries, removed_mac, removed_at, removal_seal }: RemovalRow) {
  if (removed_entries === null) return null;
  const at = removed_at ?? Temporal.Instant.fromEpochMilliseconds(0);
  return { entries: removed_entries, mac: removed_mac ?? '', at, seal: removal_seal ?? '' };
}
