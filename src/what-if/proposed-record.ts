// Records as they would be saved or archived, as far as that is known.
import type { Integration, Playbook } from '../incidents/configuration.ts';
import type { Step } from '../resources/escalation-policy.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { DeclaredSchedule } from './proposed-schedule.ts';

/** A record as it would be saved or archived. */
export type ProposedRecord =
  | ProposedSchedule
  | ProposedPolicy
  | ProposedIntegration
  | ProposedService
  | ProposedRule
  | ProposedPlaybook;

export type Identity = {
  /** Null: it is new. */
  readonly id: string | null;
  readonly archived: boolean;
};

export type ProposedSchedule = Identity & {
  readonly kind: 'schedule';
  /** Undefined: as it is, or unknown. */
  readonly name: string | undefined;
  /** Null: not all of what decides who is on call is known. */
  readonly declared: DeclaredSchedule | null;
};

export type ProposedPolicy = Identity & {
  readonly kind: 'policy';
  readonly name: string;
  /** With holes in the place of what is unknown. */
  readonly steps: readonly Step[];
  /** Whether not all of the step is known. */
  readonly isUnknown: (step: number) => boolean;
};

export type ProposedIntegration = Identity & {
  readonly kind: 'integration';
  /** What is absent stays as it is. Null: not known yet. */
  readonly fields: Partial<Pick<Integration, 'name' | 'enabled' | 'ackTimeoutMinutes'>> & {
    readonly escalation_policy_id?: string | null;
    readonly service_id?: string | null;
  };
};

export type ProposedService = Identity & { readonly kind: 'service' };

type OfTeam = Identity & {
  /** Undefined: that of the saved record, or unknown. */
  readonly teamId: string | undefined;
  /** Whether not all that decides whom it pages is known. */
  readonly isUnclear: boolean;
};

export type ProposedRule = OfTeam & {
  readonly kind: 'rule';
  /** Null: it does not run. */
  readonly rule: Rule | null;
  /** Null: it runs after those with a position. Undefined: it stays where it is. */
  readonly position: number | null | undefined;
};

export type ProposedPlaybook = OfTeam & {
  readonly kind: 'playbook';
  readonly playbook: Omit<Playbook, 'team_id' | 'archived'> | null;
};
