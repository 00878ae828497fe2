import type { AudienceNeeded } from '../../engine/ledger.ts';
import type { Audience, ShiftPerson } from '../../shifts/announce.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
  ScheduleNotifications,
} from '../../shifts/settings.ts';
import { type ContactRow, type PersonRow, personOf } from '../ledger/directory.ts';
import type { Desk } from '../ledger/ledger.ts';

type UserRow = PersonRow & { settings: PersonalNotifications | null };
type ScheduleRow = { id: string; settings: ScheduleNotifications };
type WebhookRow = { id: string; name: string; archived: boolean };

/** All that announcing shifts may ask about, read in the transaction that records them. */
export async function readAudience(
  desk: Desk,
  needed: readonly AudienceNeeded[],
): Promise<Audience> {
  const read = await Promise.all(needed.map((one) => readOne(desk, one)));
  return {
    people: new Map(read.flatMap(({ people }) => people.map((one) => [one.id, one]))),
    organizations: new Map(read.map(({ id, ofAll }) => [id, ofAll])),
    schedules: new Map(read.flatMap(({ own }) => own.map((row) => [row.id, row.settings]))),
    webhooks: new Map(read.flatMap(({ webhooks }) => webhooks.map((row) => [row.id, row]))),
    channels: desk.channels,
  };
}

async function readOne(desk: Desk, { organization_id: id, scheduleIds, userIds }: AudienceNeeded) {
  const { sql } = desk;
  const [people, own, [organization]] = await Promise.all([
    readPeople(desk, id, [...userIds]),
    sql<ScheduleRow[]>`
      select oncall_schedule_id as id, settings from schedule_notifications
      where organization_id = ${id} and oncall_schedule_id = any(${[...scheduleIds]})`,
    sql<{ settings: OrganizationNotifications | null }[]>`
      select shift_notifications as settings from organizations where id = ${id}`,
  ]);
  const ofAll = organization?.settings ?? {};
  const called = [ofAll, ...own.map((row) => row.settings)].flatMap(
    (settings) => settings.outbound_webhook_ids ?? [],
  );
  return { id, people, own, ofAll, webhooks: await readWebhooks(desk, id, called) };
}

async function readPeople(
  { sql }: Desk,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly ShiftPerson[]> {
  const ids = [...userIds];
  const [users, contacts] = await Promise.all([
    sql<UserRow[]>`
      select u.id, u.first_name, u.last_name, u.email, u.active, n.settings
      from users u left join user_notifications n
        on n.organization_id = u.organization_id and n.user_id = u.id
      where u.organization_id = ${organizationId} and u.id = any(${ids})`,
    sql<ContactRow[]>`
      select user_id, channel, address from contacts
      where organization_id = ${organizationId} and user_id = any(${ids})
        and verified_at is not null
      order by id`,
  ]);
  const contactsOf = Map.groupBy(contacts, (contact) => contact.user_id);
  return users.map(({ settings, ...row }) => ({
    ...row,
    ...personOf(row, contactsOf.get(row.id) ?? []),
    settings: settings ?? {},
  }));
}

async function readWebhooks({ sql }: Desk, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return sql<WebhookRow[]>`
    select id, name, archived_at is not null as archived from outbound_webhooks
    where organization_id = ${organizationId} and id = any(${[...new Set(ids)]})`;
}
