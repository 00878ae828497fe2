// Which server receives what people do at a vendor, and how far it has received it.
import type { Listened } from '../../engine/listening/listen.ts';
import type { Queries } from '../database/database.ts';

type Listing = {
  readonly vendors: readonly string[];
  readonly holder: string;
  readonly now: Temporal.Instant;
};

/** Connections of these vendors that are in use, of all organisations, and that no other server has. */
export const listListened = (
  sql: Queries,
  { vendors, holder, now }: Listing,
): Promise<readonly Listened[]> =>
  sql<Listened[]>`
    select c.organization_id, c.id, c.vendor, c.version
    from channel_connections c left join channel_listeners l
      on l.organization_id = c.organization_id and l.connection_id = c.id
    where c.vendor = any(${[...vendors]}) and c.enabled and c.archived_at is null
      and (l.holder is null or l.holder = ${holder} or l.lease_until <= ${now})
    order by c.organization_id, c.id`;

type Claim = {
  readonly listened: Listened;
  readonly holder: string;
  readonly now: Temporal.Instant;
  readonly until: Temporal.Instant;
};

/** The number of the update to begin with; null: another server has it until later. */
export async function claimListener(sql: Queries, claim: Claim): Promise<number | null> {
  const { listened, holder, now, until } = claim;
  const [row] = await sql<{ next_update: number }[]>`
    insert into channel_listeners as held (organization_id, connection_id, holder, lease_until,
      next_update)
    values (${listened.organization_id}, ${listened.id}, ${holder}, ${until}, 0)
    on conflict (organization_id, connection_id) do update
      set holder = excluded.holder, lease_until = excluded.lease_until
      where held.holder = excluded.holder or held.lease_until <= ${now}
    returning next_update`;
  return row?.next_update ?? null;
}

type Advance = Omit<Claim, 'now'> & { readonly next: number };

/** False: another server has it by now. */
export async function advanceListener(sql: Queries, advance: Advance): Promise<boolean> {
  const { listened, holder, until, next } = advance;
  const advanced = await sql`
    update channel_listeners set next_update = ${next}, lease_until = ${until}
    where organization_id = ${listened.organization_id} and connection_id = ${listened.id}
      and holder = ${holder}`;
  return advanced.count === 1;
}

/** Of a server; all with one claimant (src/storage/outbox/claimant.ts) begin alike. */
export const holderOf = (claimant: string | null, id: string): string => `${claimant ?? ''} ${id}`;

/** Nobody lives who listened under this name. */
export async function releaseListenersOf(sql: Queries, claimant: string): Promise<void> {
  await sql`
    update channel_listeners set lease_until = '-infinity'
    where starts_with(holder, ${holderOf(claimant, '')})`;
}

/** Another server may go on at once. */
export async function releaseListeners(sql: Queries, holder: string): Promise<void> {
  await sql`update channel_listeners set lease_until = '-infinity' where holder = ${holder}`;
}
