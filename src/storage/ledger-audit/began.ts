import type { Queries } from '../database/database.ts';
import type { Secrets } from '../sealed/secrets.ts';

/** Servers of the release before, which chain nothing, are replaced within this. */
const replacedHours = 24;
const always = Temporal.Instant.fromEpochMilliseconds(0);
const key = 'chains_began_at';

const sealed = (at: string, secrets: Secrets) => `${at} ${secrets.mac(`${key} ${at}`)}`;

/** Notes, once, since when entries must be chained. */
export async function beginChains(
  sql: Queries,
  secrets: Secrets,
  now: Temporal.Instant,
): Promise<void> {
  const [first] = await sql`select from incidents limit 1`;
  const at = first ? now.add({ hours: replacedHours }) : always;
  // Nothing is written where chains exist, or somebody could delete the note to have a later one
  // written.
  await sql`
    insert into installation (key, value)
    select ${key}, ${sealed(`${at}`, secrets)} where not exists (select from timeline_heads)
    on conflict (key) do nothing`;
}

/** Null: that is not known, or not as a server noted it. */
export async function chainsBegan(
  sql: Queries,
  secrets: Secrets,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = ${key}`;
  const [at = ''] = row?.value.split(' ') ?? [];
  return row && row.value === sealed(at, secrets) ? Temporal.Instant.from(at) : null;
}
