// What of a record in a preview decides who is paged.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { escalationPolicy, type Step } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { playbook } from '../../resources/playbook.ts';
import { service } from '../../resources/service.ts';
import type { Rule } from '../../rules/match-rule.ts';
import { declaredSchedule } from '../../storage/oncall/revisions.ts';
import { isRouting } from '../../what-if/paging-part.ts';
import type { ProposedPlaybook, ProposedRecord } from '../../what-if/proposed-record.ts';
import { NEW } from '../../what-if/proposed-routing.ts';
import { type Proposed, textOf } from './change-preview-request.ts';

type PartOf = (proposed: Proposed) => ProposedRecord;

// The shapes were read; what does not fit is absent, or a hole.
const parts: Readonly<Record<string, PartOf>> = {
  [oncallSchedule.name]({ archived, id, mayBe, written: { fields } }) {
    const isUnknown = mayBe('layers') || mayBe('timezone') || fields['layers'] === undefined;
    const declared = archived || isUnknown ? null : declaredSchedule(fields);
    return { kind: 'schedule', id, archived, name: textOf(fields['name']), declared };
  },
  [escalationPolicy.name]: ({ archived, id, mayBe, written: { fields } }) => ({
    kind: 'policy',
    id,
    archived,
    name: textOf(fields['name']) ?? '',
    steps: (fields['steps'] ?? []) as readonly Step[],
    isUnknown: (step) => mayBe(`steps[${step}]`),
  }),
  [service.name]: ({ archived, id }) => ({ kind: 'service', id, archived }),
  [integration.name]({ archived, id, mayBe, written: { fields } }) {
    if (archived) return { kind: 'integration', id, archived, fields: {} };
    const isUnclear = mayBe('enabled') || mayBe('ack_timeout_minutes');
    const own = (name: string) =>
      isUnclear || mayBe(name) ? null : (textOf(fields[name]) ?? null);
    const name = textOf(fields['name']);
    return {
      kind: 'integration',
      id,
      archived,
      fields: {
        ...(name !== undefined && { name }),
        enabled: isUnclear || fields['enabled'] !== false,
        ackTimeoutMinutes: (fields['ack_timeout_minutes'] ?? null) as number | null,
        escalation_policy_id: own('escalation_policy_id'),
        service_id: own('service_id'),
      },
    };
  },
  [alertRoutingRule.name](proposed) {
    const { archived, id, mayBe, written } = proposed;
    const { fields } = written;
    const isOff = archived || fields['enabled'] === false;
    const ids = ['integration_ids', 'service_ids'].map((name) => {
      const list = fields[name] as readonly string[] | undefined;
      // A record that is not there yet has no events.
      return list === undefined ? {} : { [name]: list.filter((one) => one !== undefined) };
    });
    const rule = {
      id: id ?? NEW,
      name: textOf(fields['name']) ?? '',
      condition_groups: fields['condition_groups'],
      actions: fields['actions'],
      ...ids[0],
      ...ids[1],
    } as Rule;
    const isUnclear =
      !isOff &&
      (areActionsUnclear(proposed) ||
        mayBe('condition_groups') ||
        ['integration_ids', 'service_ids'].some((name) => mayBe(name) && !(name in rule)));
    return {
      kind: 'rule',
      id,
      archived,
      teamId: written.teamId ?? undefined,
      isUnclear: mayBe('enabled') || isUnclear,
      rule: isOff || isUnclear ? null : rule,
      position: mayBe('position') ? undefined : ((fields['position'] ?? null) as number | null),
    };
  },
  [playbook.name](proposed) {
    const { archived, id, mayBe, written } = proposed;
    const { fields } = written;
    const isUnclear =
      !archived &&
      (areActionsUnclear(proposed) ||
        ['enabled', 'run_automatically', 'condition_groups'].some((name) => mayBe(name)));
    return {
      kind: 'playbook',
      id,
      archived,
      teamId: written.teamId ?? undefined,
      isUnclear,
      playbook: (archived || isUnclear
        ? null
        : { ...fields, id: id ?? NEW }) as ProposedPlaybook['playbook'],
    };
  },
};

/** Null: other kinds of records decide nothing. */
export const pagingPartOf = (proposed: Proposed): ProposedRecord | null =>
  parts[proposed.resource.name]?.(proposed) ?? null;

type Action = Rule['actions'][number];

/** Whether it is not known whom they page; whatever else they do, an ignored event pages nobody. */
function areActionsUnclear({ mayBe, written: { fields } }: Proposed): boolean {
  const actions = (fields['actions'] ?? []) as readonly (Partial<Action> | undefined)[];
  if (mayBe('actions') && fields['actions'] === undefined) return true;
  if (actions.some((one) => one?.type === 'ignoreIncident')) return false;
  return Array.from(actions).some((one, index) => {
    const isRouted = one?.type === undefined || isRouting([{ type: one.type }]);
    return isRouted && mayBe(`actions[${index}]`);
  });
}
