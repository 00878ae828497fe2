import type { Ids } from '../../engine/ids.ts';
import { type Act, audit } from '../audit.ts';
import { type Queries, type Sql, transact } from '../database.ts';
import { timeText } from '../record-rows.ts';
import { auditedOrganization } from './audited.ts';
import { lockOrganization } from './users.ts';

export type OrganizationFields = {
  readonly name: string;
  readonly timezone: string;
  readonly monthly_alert_limit?: number;
};

export type Organization = OrganizationFields & {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
};

type Row = {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly monthly_alert_limit: number | null;
  readonly version: number;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
};

export async function findOrganization(sql: Queries, id: string): Promise<Organization> {
  const [row] = await sql<Row[]>`
    select id, name, timezone, monthly_alert_limit, version, created_at, updated_at
    from organizations where id = ${id}`;
  if (row === undefined) throw new Error(`organisation ${id} of a caller does not exist`);
  const { monthly_alert_limit, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    ...(monthly_alert_limit !== null && { monthly_alert_limit }),
    created_at: timeText(created_at),
    updated_at: timeText(updated_at),
  };
}

type Changing = {
  readonly act: Act;
  readonly ids: Ids;
  readonly change: (before: Organization) => OrganizationFields;
};

export function changeOrganization(sql: Sql, changing: Changing): Promise<Organization> {
  const { act, ids } = changing;
  const id = act.organizationId;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, id);
    const before = await findOrganization(tx, id);
    const fields = changing.change(before);
    await tx`
      update organizations set name = ${fields.name}, timezone = ${fields.timezone},
        monthly_alert_limit = ${fields.monthly_alert_limit ?? null},
        version = version + 1, updated_at = ${act.now.toString()}
      where id = ${id}`;
    const after = await findOrganization(tx, id);
    await audit(tx, ids, { act, ...auditedOrganization, action: 'update', id, before, after });
    return after;
  });
}
