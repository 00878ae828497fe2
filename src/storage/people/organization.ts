import type { Ids } from '../../engine/ids.ts';
import { mapSensitive } from '../../resources/declaration/references-and-secrets.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import { knownLanguage, type Language } from '../../resources/language.ts';
import type { Retention } from '../../resources/retention.ts';
import {
  type OrganizationNotifications,
  organizationNotifications,
} from '../../resources/shift-notifications.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { parseOfOrganization, parseRetention } from '../organizations/stored-settings.ts';
import { json, timeText } from '../records/rows.ts';
import { type Lookup, lookupIn } from '../records/uses.ts';
import { addressContext } from '../sealed/sealed-columns.ts';
import { opening, type Secrets, sealing } from '../sealed/secrets.ts';
import { auditedOrganization } from './audited.ts';
import { lockOrganization } from './users.ts';

export type OrganizationFields = {
  readonly name: string;
  readonly timezone: string;
  readonly language: Language;
  readonly monthly_alert_limit?: number;
  readonly shift_notifications?: OrganizationNotifications;
  readonly retention?: Retention;
};

export type Organization = OrganizationFields & {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly language: string;
  readonly monthly_alert_limit: number | null;
  readonly shift_notifications: unknown;
  readonly retention: unknown;
  readonly version: number;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
};

/** With the addresses of its chats still sealed, for those who need none. */
export async function sealedOrganization(sql: Queries, id: string): Promise<Organization> {
  const [row] = await sql<OrganizationRow[]>`
    select id, name, timezone, language, monthly_alert_limit, shift_notifications, retention, version,
      created_at, updated_at
    from organizations where id = ${id}`;
  if (row === undefined) throw new Error(`organisation ${id} of a caller does not exist`);
  const { monthly_alert_limit, shift_notifications, retention, ...rest } = row;
  const { created_at, updated_at, language, ...own } = rest;
  return {
    ...own,
    language: knownLanguage(language),
    ...(monthly_alert_limit !== null && { monthly_alert_limit }),
    ...(shift_notifications !== null && {
      shift_notifications: parseOfOrganization(shift_notifications),
    }),
    ...(retention !== null && { retention: parseRetention(retention) }),
    created_at: timeText(created_at),
    updated_at: timeText(updated_at),
  };
}

type OrganizationQuery = { readonly id: string; readonly secrets: Secrets };

export async function findOrganization(
  sql: Queries,
  { id, secrets }: OrganizationQuery,
): Promise<Organization> {
  const organization = await sealedOrganization(sql, id);
  const { shift_notifications: sealed } = organization;
  if (sealed === undefined) return organization;
  const open = opening(secrets, addressContext(id));
  return { ...organization, shift_notifications: withAddresses(sealed, open) };
}

/** The settings with each chat's address sealed or opened. */
const withAddresses = (
  settings: OrganizationNotifications,
  change: Parameters<typeof mapSensitive>[2],
) =>
  // Only texts are changed.
  mapSensitive(organizationNotifications, settings, change) as OrganizationNotifications;

type OrganizationChange = {
  readonly act: Act;
  readonly ids: Ids;
  readonly secrets: Secrets;
  /** Whether the write names a time zone, be it the one that is set. */
  readonly choosesZone: boolean;
  readonly change: (lookup: Lookup, before: Organization) => Promise<OrganizationFields>;
};

export function changeOrganization(sql: Sql, options: OrganizationChange): Promise<Organization> {
  const { act, ids, secrets } = options;
  const id = act.organizationId;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, id);
    const before = await findOrganization(tx, { id, secrets });
    const fields = await options.change(lookupIn(tx, id), before);
    const { shift_notifications: notifications, retention } = fields;
    const seal = sealing(secrets, addressContext(id));
    const sealed = notifications ? json(tx, versioned(withAddresses(notifications, seal))) : null;
    await tx`
      update organizations set name = ${fields.name}, timezone = ${fields.timezone},
        language = ${fields.language},
        timezone_chosen = timezone_chosen or ${options.choosesZone},
        monthly_alert_limit = ${fields.monthly_alert_limit ?? null},
        shift_notifications = ${sealed},
        retention = ${retention ? json(tx, versioned(retention)) : null},
        version = version + 1, updated_at = ${act.now.toString()}
      where id = ${id}`;
    const after = await findOrganization(tx, { id, secrets });
    await audit(tx, ids, { act, ...auditedOrganization, action: 'update', id, before, after });
    return after;
  });
}
