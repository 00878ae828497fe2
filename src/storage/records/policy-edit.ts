// An edit of a policy's steps is noted on the incidents that it might seem to change: they keep their
// steps, and whoever reads their timeline would otherwise expect the new ones.
import type { Actor } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Step, Target } from '../../resources/escalation-policy.ts';
import { changesText, stepChanges } from '../../resources/step-changes.ts';
import type { Queries } from '../database/database.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import type { Act } from '../organizations/audit.ts';
import { personNameOrEmail } from './names.ts';
import type { RecordChange, RecordWrite } from './record-hooks.ts';

/** In the transaction that stores the edit. */
export async function noteEdit(
  { tx, act, secrets, ids }: RecordWrite,
  { before, fields }: RecordChange,
): Promise<void> {
  const [was, is] = [stepsIn(before.fields), stepsIn(fields)];
  // Whatever they are called: names are read only if something differs.
  if (stepChanges(was, is, () => '').length === 0) return;
  const { organizationId, actor } = act;
  const noted = await openIncidents(tx, organizationId, before.id);
  if (noted.length === 0) return;
  const changes = stepChanges(was, is, await namesOf(tx, organizationId, [...was, ...is]));
  const text = `${actor.name} changed the escalation policy ${String(fields['name'])}: ${changesText(changes)}. This incident keeps its steps. The change applies to incidents opened from now on`;
  const entries = noted.map(({ id }) => ({
    organization_id: organizationId,
    incident_id: id,
    type: 'policy_edited',
    text,
    actor: actorOf(actor),
    details: { escalation_policy_id: before.id },
  }));
  await insertTimeline({ sql: tx, ids, secrets }, { entries, at: act.now });
}

const stepsIn = ({ steps }: Readonly<Record<string, unknown>>) => (steps ?? []) as readonly Step[];

/** The newest of those that are paged by it, of so many open ones. */
const openIncidents = (tx: Queries, organizationId: string, policyId: string) =>
  tx<{ id: string }[]>`
    select id from (
      select id, number, escalation_policy_id from incidents
      where organization_id = ${organizationId} and status <> 'resolved'
      order by number desc limit ${queryLimits.incidentsSearched}
    ) as open
    where escalation_policy_id = ${policyId}
    order by number desc limit ${queryLimits.editsNoted}`;

async function namesOf(tx: Queries, organizationId: string, steps: readonly Step[]) {
  const targets = steps.flatMap((step) => step.targets);
  const users = targets.flatMap(({ user_id }) => user_id ?? []);
  const schedules = targets.flatMap(({ oncall_schedule_id }) => oncall_schedule_id ?? []);
  const rows = await tx<{ id: string; name: string }[]>`
    select id, ${personNameOrEmail(tx)} as name from users
    where organization_id = ${organizationId} and id = any(${users})
    union all
    select id, 'whoever is on call of ' || name from oncall_schedules
    where organization_id = ${organizationId} and id = any(${schedules})`;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return ({ user_id, oncall_schedule_id, channel_name, channel_id, via }: Partial<Target>) =>
    names.get(user_id ?? oncall_schedule_id ?? '') ??
    channel_name ??
    channel_id ??
    `a chat of ${via}`;
}

const actorOf = ({ kind, id, name }: Act['actor']): Actor => {
  const isPerson = kind === 'session';
  return { type: isPerson ? 'user' : 'key', id, name, via: isPerson ? 'dashboard' : 'api' };
};
