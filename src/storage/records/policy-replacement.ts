// A policy that is archived hands over to the one that its record names.
import type { TSchema } from 'typebox';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { mapText } from '../../resources/declaration/references-and-secrets.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { playbook } from '../../resources/playbook.ts';
import type { Queries } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { noteEdit } from './policy-edit.ts';
import type { Archiving, RecordHooks, Use } from './record-hooks.ts';
import { json, type StoredRecord } from './rows.ts';

export const policyHooks: RecordHooks = {
  async changing(write, change) {
    await noteEdit(write, change);
    return {};
  },
  async archiving({ tx, act }, archiving) {
    const to = archiving.before.fields['archive_replacement_policy_id'];
    return typeof to === 'string' ? replacePolicy(tx, archiving, { act, to }) : {};
  },
};

/**
 * Points integrations, rules and playbooks, archived ones too, to the other policy and answers
 * their ids; versions stay. Nothing moves to one that is not active or of another team: then the
 * archiving is refused if something active would have to.
 */
async function replacePolicy(
  tx: Queries,
  { before: from, uses }: Archiving,
  { act, to }: { readonly act: Act; readonly to: string },
): Promise<object | 'replacement_not_active'> {
  const { organizationId } = act;
  const [active] = await tx`${replacement(tx, { organizationId, from, to })} for update`;
  if (active === undefined) return (await uses()).some(moves) ? 'replacement_not_active' : {};
  return moveUses(tx, { organizationId, from: from.id, to });
}

type Replacement = {
  readonly organizationId: string;
  readonly from: StoredRecord;
  readonly to: string;
};

const replacement = (sql: Queries, { organizationId, from, to }: Replacement) => sql`
  select id from escalation_policies
  where organization_id = ${organizationId} and id = ${to} and id <> ${from.id}
    and team_id = ${from.team_id} and archived_at is null`;

/** The policy to which an archiving would move what uses this one; null: nothing would move. */
export async function replacementOf(
  sql: Queries,
  organizationId: string,
  from: StoredRecord,
): Promise<string | null> {
  const to = from.fields['archive_replacement_policy_id'];
  if (typeof to !== 'string') return null;
  const [active] = await sql`${replacement(sql, { organizationId, from, to })}`;
  return active === undefined ? null : to;
}

/** Another policy that names this one as its replacement goes on naming it. */
export const moves = ({ kind }: Use) => kind !== escalationPolicy.name;

type Move = { readonly organizationId: string; readonly from: string; readonly to: string };

async function moveUses(tx: Queries, move: Move) {
  const integrations = await tx<{ id: string }[]>`
    update integrations set escalation_policy_id = ${move.to}
    where organization_id = ${move.organizationId} and escalation_policy_id = ${move.from}
    returning id`;
  return {
    integrations: integrations.map(({ id }) => id),
    rules: await moveActions(tx, alertRoutingRule, move),
    playbooks: await moveActions(tx, playbook, move),
  };
}

type WithActions = typeof alertRoutingRule | typeof playbook;

/** Answers whose actions were changed. */
async function moveActions(
  tx: Queries,
  { table, fields }: WithActions,
  move: Move,
): Promise<string[]> {
  const { organizationId, from, to } = move;
  const rows = await tx<{ id: string; actions: unknown }[]>`
    select id, actions from ${tx(table)}
    where organization_id = ${organizationId} and actions::text like ${`%${from}%`}
    order by id for update`;
  for (const { id, actions } of rows) {
    const moved = mapText(fields.actions, actions, ({ schema, value }) =>
      value === from && isPolicy(schema) ? to : value,
    );
    await tx`
      update ${tx(table)} set actions = ${json(tx, moved)}
      where organization_id = ${organizationId} and id = ${id}`;
  }
  return rows.map(({ id }) => id);
}

const isPolicy = (schema: TSchema) =>
  (schema as { 'x-references'?: { to: string } })['x-references']?.to === 'escalation_policy';
