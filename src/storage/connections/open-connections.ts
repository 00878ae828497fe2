// Connections with their secrets opened, for whoever sends by them.
import type { Settings } from '../../resources/connections/vendor.ts';
import { storedSettings } from '../../resources/connections/vendors.ts';
import type { Queries } from '../database/database.ts';
import type { Secrets } from '../sealed/secrets.ts';
import { type StoredSecrets, secretsContext } from './stored-secrets.ts';

/** One that is used, with its secrets and its settings, of which none that has a default is absent. */
export type OpenConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly settings: Settings;
  readonly secrets: Readonly<Record<string, string>>;
};

/** With those secrets that were replaced a short time ago, which verify and send nothing. */
export type CalledConnection = OpenConnection & {
  readonly replacedSecrets: Readonly<Record<string, string>>;
};

type OpenRow = Omit<OpenConnection, 'settings' | 'secrets'> & {
  readonly settings: unknown;
  readonly secrets: StoredSecrets;
};

/** Null: its settings cannot be read, or its secrets were sealed with a key that is lost. */
function opened(secrets: Secrets, row: OpenRow): OpenConnection | null {
  const context = secretsContext(row.organization_id, row.id);
  const settings = storedSettings(row.vendor, row.settings);
  if (settings === null) return null;
  try {
    return {
      ...row,
      settings,
      secrets: openAll(row.secrets, (sealed) => secrets.open(sealed, context)),
    };
  } catch {
    return null;
  }
}

const openAll = (stored: StoredSecrets, open: (sealed: string) => string) =>
  Object.fromEntries(Object.entries(stored).map(([name, { sealed }]) => [name, open(sealed)]));

const openColumns = (sql: Queries) => sql`organization_id, id, name, vendor, settings, secrets`;

/** Null: it is not there, or it cannot be read. */
export async function openConnection(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  organizationId: string,
  id: string,
): Promise<OpenConnection | null> {
  const [row] = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where organization_id = ${organizationId} and id = ${id}`;
  return row ? opened(secrets, row) : null;
}

/** The same by its id alone, as whoever calls in its name needs it; archived ones are left out. */
export async function openCalledConnection(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  id: string,
  now: Temporal.Instant,
): Promise<CalledConnection | null> {
  const [row] = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where id = ${id} and archived_at is null`;
  const connection = row ? opened(secrets, row) : null;
  if (row === undefined || connection === null) return null;
  const context = secretsContext(row.organization_id, row.id);
  const lasts = (until: string) => Temporal.Instant.compare(Temporal.Instant.from(until), now) > 0;
  const replaced = Object.entries(row.secrets).flatMap(([name, { replaced }]) =>
    replaced && lasts(replaced.until) ? [[name, secrets.open(replaced.sealed, context)]] : [],
  );
  return { ...connection, replacedSecrets: Object.fromEntries(replaced) };
}

/** Those of an organization that are used and can be opened, in their order. */
export async function openConnectionsOf(
  { sql, secrets }: { readonly sql: Queries; readonly secrets: Secrets },
  organizationId: string,
  vendors: string | readonly string[],
): Promise<readonly OpenConnection[]> {
  const rows = await sql<OpenRow[]>`
    select ${openColumns(sql)} from channel_connections
    where organization_id = ${organizationId} and vendor = any(${[vendors].flat()})
      and enabled and archived_at is null
    order by position, id`;
  return rows.flatMap((row) => opened(secrets, row) ?? []);
}
