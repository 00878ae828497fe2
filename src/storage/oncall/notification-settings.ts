// How people and chats are told of shifts: settings that stand beside a person or a schedule, kept
// as they were sent, with their addresses sealed.
import type { TSchema } from 'typebox';
import type { Ids } from '../../engine/ids.ts';
import { mapSensitive } from '../../resources/declaration/references-and-secrets.ts';
import { type Parse, versioned } from '../../resources/declaration/stored-document.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import {
  personalNotifications,
  scheduleNotifications,
} from '../../resources/shift-notifications.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { parseOfSchedule, parsePersonal } from '../organizations/stored-settings.ts';
import { find, type Scope } from '../records/queries.ts';
import { json } from '../records/rows.ts';
import { type Lookup, lookupIn } from '../records/uses.ts';
import { addressContext } from '../sealed/sealed-columns.ts';
import { opening, type Secrets, sealing } from '../sealed/secrets.ts';

export type NotificationParts = {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly ids: Ids;
};

/** Where one sort of settings is kept, and which of its texts are secret. */
type SettingsKind = {
  readonly table: 'user_notifications' | 'schedule_notifications';
  readonly owner: string;
  readonly schema: TSchema;
  readonly parse: Parse<Settings>;
};

const personal: SettingsKind = {
  table: 'user_notifications',
  owner: 'user_id',
  schema: personalNotifications,
  parse: parsePersonal,
};
const ofSchedule: SettingsKind = {
  table: 'schedule_notifications',
  owner: 'oncall_schedule_id',
  schema: scheduleNotifications,
  parse: parseOfSchedule,
};

/** Empty while nothing was ever set. */
type Settings = Readonly<Record<string, unknown>>;
type User = { readonly organizationId: string; readonly id: string };
type Schedule = { readonly key: string; readonly scope: Scope };

export const readPersonal = ({ sql, secrets }: NotificationParts, user: User): Promise<Settings> =>
  read(sql, personal, { ...user, secrets });

/** With the schedule that they belong to. */
export type OfSchedule = {
  readonly id: string;
  readonly archivedAt: Temporal.Instant | null;
  readonly settings: Settings;
};

export async function readOfSchedule(
  { sql, secrets }: NotificationParts,
  { key, scope }: Schedule,
): Promise<OfSchedule | 'not_found'> {
  const schedule = await find(sql, oncallSchedule, { key, scope });
  if (schedule === undefined) return 'not_found';
  const { id, archived_at: archivedAt } = schedule;
  const { organizationId } = scope;
  return { id, archivedAt, settings: await read(sql, ofSchedule, { organizationId, id, secrets }) };
}

export type CurrentSettings = {
  readonly before: Settings;
  /** Null: it belongs to no team. */
  readonly teamId: string | null;
};
/** Decides what is stored, inside the transaction that stores it; throws to store nothing. */
export type DecideSettings = (lookup: Lookup, current: CurrentSettings) => Promise<Settings>;
type WritePersonal = {
  readonly act: Act;
  readonly userId: string;
  readonly decide: DecideSettings;
};

export function writePersonal(parts: NotificationParts, writing: WritePersonal): Promise<Settings> {
  const { act, userId: id, decide } = writing;
  return transact(parts.sql, async (tx) => {
    await tx`
      select from users where organization_id = ${act.organizationId} and id = ${id}
      for no key update`;
    return write(parts, personal, { tx, act, id, teamId: null, decide });
  });
}

type WriteOfSchedule = {
  readonly act: Act;
  readonly key: string;
  readonly decide: DecideSettings;
};

export function writeOfSchedule(
  parts: NotificationParts,
  { act, key, decide }: WriteOfSchedule,
): Promise<OfSchedule | 'not_found' | 'archived'> {
  return transact(parts.sql, async (tx) => {
    const schedule = await find(tx, oncallSchedule, { key, scope: act, lock: true });
    if (schedule === undefined) return 'not_found';
    if (schedule['archived_at'] !== null) return 'archived';
    const { id, team_id: teamId } = schedule;
    const settings = await write(parts, ofSchedule, { tx, act, id, teamId, decide });
    return { id, archivedAt: null, settings };
  });
}

type Reading = User & { readonly secrets: Secrets };

async function read(sql: Queries, { table, owner, schema, parse }: SettingsKind, reading: Reading) {
  const { organizationId, id, secrets } = reading;
  const [row] = await sql<{ settings: unknown }[]>`
    select settings from ${sql(table)}
    where organization_id = ${organizationId} and ${sql(owner)} = ${id}`;
  // Only texts are changed.
  const open = opening(secrets, addressContext(organizationId));
  return mapSensitive(schema, row ? parse(row.settings) : {}, open) as Settings;
}

type Writing = {
  readonly tx: Transaction;
  readonly act: Act;
  readonly id: string;
  readonly teamId: string | null;
  readonly decide: DecideSettings;
};

/** The owner is locked: one write at a time. */
async function write({ secrets, ids }: NotificationParts, kind: SettingsKind, writing: Writing) {
  const { tx, act, id, teamId, decide } = writing;
  const { table, owner, schema } = kind;
  const { organizationId } = act;
  const before = await read(tx, kind, { organizationId, id, secrets });
  const after = await decide(lookupIn(tx, organizationId), { before, teamId });
  const seal = sealing(secrets, addressContext(organizationId));
  // As it was read against the declaration, an object.
  const sealed = mapSensitive(schema, after, seal) as Settings;
  const settings = json(tx, versioned(sealed));
  await tx`
    insert into ${tx(table)} (organization_id, ${tx(owner)}, settings, updated_at)
    values (${organizationId}, ${id}, ${settings}, ${act.now})
    on conflict (organization_id, ${tx(owner)}) do update
      set settings = excluded.settings, updated_at = excluded.updated_at`;
  await audit(tx, ids, { act, action: 'update', kind: table, id, schema, before, after });
  return after;
}
