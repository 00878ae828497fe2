// What a simulated world declares, as rows.
import type { Configuration } from '../../src/incidents/configuration.ts';
import { declaredOf } from '../../src/oncall/revisions/content.ts';
import type { Transaction } from '../../src/storage/database/database.ts';
import { anchorsOf } from '../../src/storage/oncall/layers.ts';
import { json } from '../../src/storage/records/rows.ts';
import { rowContext } from '../../src/storage/sealed/sealed-columns.ts';
import type { Secrets } from '../../src/storage/sealed/secrets.ts';
import { idOf, schedules } from './setting.ts';

type Inserting = {
  readonly setting: Configuration;
  readonly secrets: Secrets;
  readonly now: Temporal.Instant;
};
type Own = {
  readonly organization_id: string;
  readonly version: number;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
};
/** What all records have; of one team, for there is no other. */
type Numbered = (id: string) => Own & { id: string; counter: number; team_id: string };

export async function insertSetting(sql: Transaction, inserting: Inserting): Promise<void> {
  const { setting, now } = inserting;
  const made = { version: 1, created_at: now, updated_at: now };
  const organization = { ...made, id: setting.organization_id, name: '', timezone: 'Etc/UTC' };
  const shift_notifications = json(sql, setting.notifications);
  await sql`insert into organizations ${sql({ ...organization, shift_notifications })}`;
  const own = { ...made, organization_id: setting.organization_id };
  const [team] = [...setting.teams.values()];
  if (!team) throw new Error('there is no team');
  await sql`insert into teams ${sql({ ...own, id: team.id, name: 'Ops', is_default: true })}`;
  await insertPeople(sql, setting, own);
  let counter = 0;
  const numbered: Numbered = (id) => {
    counter += 1;
    return { ...own, id, counter, team_id: team.id };
  };
  await insertIntegrations(sql, setting, numbered);
  await insertDecided(sql, inserting, numbered);
  await insertSchedules(sql, setting, numbered);
}

async function insertPeople(sql: Transaction, setting: Configuration, own: Own): Promise<void> {
  const { organization_id, created_at, updated_at } = own;
  for (const person of setting.people.values()) {
    const { id, first_name, last_name, email, active, role, addresses, notifications } = person;
    await sql`
      insert into users ${sql({ ...own, id, first_name, last_name, email, role, active })}`;
    const settings = {
      organization_id,
      user_id: id,
      settings: json(sql, notifications),
      updated_at,
    };
    await sql`insert into user_notifications ${sql(settings)}`;
    const others = (addresses['email'] ?? []).filter((address) => address !== email);
    const to = { organization_id, user_id: id, now: created_at };
    await insertContacts(sql, { ...to, channel: 'email', addresses: others });
    await insertContacts(sql, { ...to, channel: 'sms', addresses: addresses['sms'] ?? [] });
  }
  for (const team of setting.teams.values())
    for (const [position, user_id] of team.memberIds.entries())
      await sql`
        insert into team_members ${sql({ organization_id, team_id: team.id, user_id, position })}`;
}

type Contacts = {
  readonly organization_id: string;
  readonly user_id: string;
  readonly channel: string;
  readonly addresses: readonly string[];
  readonly now: Temporal.Instant;
};

/** Verified, and in this order. */
export async function insertContacts(
  sql: Transaction,
  { addresses, now, ...to }: Contacts,
): Promise<void> {
  for (const [index, address] of addresses.entries())
    await sql`
      insert into contacts ${sql({
        ...to,
        id: idOf(address).slice(0, 24),
        address,
        position: index + 1,
        verified_at: now,
        created_at: now,
      })}`;
}

async function insertIntegrations(
  sql: Transaction,
  { services, policies, integrations }: Configuration,
  numbered: Numbered,
): Promise<void> {
  for (const { id, name } of services.values())
    await sql`insert into services ${sql({ ...numbered(id), name })}`;
  for (const { id, name, steps, delayMinutes: delay_minutes } of policies.values())
    await sql`
      insert into escalation_policies ${sql({
        ...numbered(id),
        name,
        steps: json(sql, steps),
        delay_minutes,
      })}`;
  for (const one of integrations.values()) {
    const { slug, name, enabled, service_id, escalation_policy_id, repeats, autoResolve } = one;
    const { resolveWhenQuiet: quiet } = one;
    const { by, window } = one.grouping;
    await sql`
      insert into integrations ${sql({
        ...numbered(one.id),
        slug,
        name,
        enabled,
        service_id,
        escalation_policy_id,
        ack_timeout_minutes: one.ackTimeoutMinutes,
        repeat_escalation: repeats,
        auto_resolve: autoResolve ? json(sql, autoResolve) : null,
        resolve_when_quiet: quiet ? json(sql, quiet) : null,
        grouping: json(sql, { by, ...(window && { window }) }),
        disable_incident_suppression: one.disableSuppression,
        token_encrypted: 'sealed',
        token_digest: Buffer.from(one.id),
      })}`;
  }
}

async function insertDecided(
  sql: Transaction,
  { setting: { teams, webhooks }, secrets }: Inserting,
  numbered: Numbered,
): Promise<void> {
  const all = [...teams.values()];
  for (const rule of all.flatMap(({ rules }) => rules)) {
    const [groups, actions] = [json(sql, rule.condition_groups), json(sql, rule.actions)];
    const own = { ...numbered(rule.id), name: rule.name, enabled: true };
    await sql`
      insert into alert_routing_rules ${sql({ ...own, actions, condition_groups: groups })}`;
  }
  for (const { id, name, ...playbook } of all.flatMap(({ playbooks }) => playbooks)) {
    const actions = json(sql, playbook.actions);
    const run_automatically = json(sql, playbook.run_automatically ?? []);
    await sql`
      insert into playbooks ${sql({
        ...numbered(id),
        name,
        enabled: true,
        actions,
        run_automatically,
      })}`;
  }
  for (const { id, name } of webhooks.values()) {
    const own = numbered(id);
    const at = rowContext('outbound_webhooks.url', own.organization_id, id);
    const url = secrets.seal('https://hook.test', at);
    await sql`
      insert into outbound_webhooks ${sql({
        ...own,
        name,
        url,
        method: 'POST',
        content_type: 'json',
      })}`;
  }
}

/** Those that the simulation advances have their first revision from whoever declares them. */
async function insertSchedules(
  sql: Transaction,
  setting: Configuration,
  numbered: Numbered,
): Promise<void> {
  const withCursor = new Map(schedules.map((schedule) => [schedule.id, schedule]));
  for (const { id, name, schedule } of setting.schedules.values()) {
    const [revision] = schedule.revisions;
    if (!revision) throw new Error(`${name} has no revision`);
    const { timezone, archived, from: in_force_from } = revision;
    const layers = withCursor.has(id) ? [] : revision.layers;
    const columns = {
      timezone: withCursor.get(id)?.timezone ?? timezone,
      layers: json(sql, layers.map(declaredOf)),
      anchors: json(sql, anchorsOf(layers)),
    };
    const { organization_id, ...own } = numbered(id);
    await sql`insert into oncall_schedules ${sql({ ...own, organization_id, name, ...columns })}`;
    if (withCursor.has(id)) continue;
    const number = { organization_id, oncall_schedule_id: id, number: 1, edit: 1 };
    await sql`
      insert into schedule_revisions ${sql({ ...number, in_force_from, archived, ...columns })}`;
  }
}
