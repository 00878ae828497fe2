// What an incident keeps as JSON, as it is read back.
import type { Grouping } from '../../incidents/configuration.ts';
import type { Escalation, Reporting, Sender, Span, Worst } from '../../incidents/incident.ts';
import {
  choiceOf,
  count,
  documentOf,
  flag,
  instant,
  listOf,
  nullOr,
  number,
  objectOf,
  optional,
  type Parse,
  text,
  textOrSealed,
} from '../../resources/declaration/stored-document.ts';
import type { Step, Target } from '../../resources/escalation-policy.ts';

const span = objectOf<Span>({ after: number, unit: choiceOf(['minutes', 'hours', 'days']) });

export const parseAutoResolve: Parse<Span> = documentOf('auto_resolve', span);

const grouping = objectOf<{ readonly by: readonly string[]; readonly window?: Span }>({
  by: listOf(text),
  window: optional(span),
});

export function parseGrouping(stored: unknown): Grouping {
  const { by, window = null } = documentOf('grouping', grouping)(stored);
  return { by, window };
}

const senders = listOf(objectOf<Sender>({ sender: text, endsAt: instant, aheadMs: number }));

export const parseSenders: Parse<readonly Sender[]> = documentOf('senders', senders);

type LastSourceTime = NonNullable<Escalation['lastSourceTime']>;
type Storm = NonNullable<Escalation['storm']>;

const reporting = {
  expiresAt: nullOr(instant),
  heardAt: optional(instant),
  expiresAfterMs: optional(number),
  quietAt: optional(nullOr(instant)),
  senders: optional(senders),
  reporters: optional(listOf(text)),
  lastSourceTime: optional(
    objectOf<LastSourceTime>({ by: choiceOf(['mail', 'group']), at: instant }),
  ),
  recentTriggers: listOf(number),
  storm: nullOr(objectOf<Storm>({ until: instant, eventId: text })),
};

export const parseReporting: Parse<Reporting> = documentOf(
  'reporting',
  objectOf<Reporting>(reporting),
);

export const parseEscalation: Parse<Escalation> = documentOf(
  'escalation',
  objectOf<Escalation>({
    policyName: text,
    delayMinutes: number,
    repeats: flag,
    ackTimeoutMinutes: nullOr(number),
    autoResolve: nullOr(span),
    cycle: count,
    nextStep: count,
    repeatsLeft: count,
    pagedInCycle: flag,
    stepAt: nullOr(instant),
    stepRemainingMs: nullOr(number),
    takenBy: optional(nullOr(instant)),
    takenByRemainingMs: optional(nullOr(number)),
    wentBackTo: optional(listOf(count)),
    requestedStep: optional(count),
    ackTimeoutAt: nullOr(instant),
    resolveAt: nullOr(instant),
    ...reporting,
    quiet: optional(nullOr(span)),
    stormNotifiedAt: nullOr(instant),
    putOffUntil: optional(nullOr(instant)),
    worst: optional(objectOf<Worst>({ severity: nullOr(text), priority: nullOr(text) })),
    isTitled: optional(flag),
    isAcknowledgedByRule: optional(flag),
    splitOff: optional(listOf(text)),
    joinedAt: optional(instant),
    steppedAt: optional(instant),
    prioritySetByPerson: flag,
    severitySetByPerson: flag,
    suppressedAt: listOf(number),
    repeatedAt: listOf(number),
    appliedRules: listOf(text),
  }),
);

/** Of a channel that only a newer server has, the step says that it cannot be reached. */
const via = text as Parse<Target['via']>;

export const parseSteps: Parse<readonly Step[]> = documentOf(
  'steps',
  listOf(
    objectOf<Step>({
      targets: listOf(
        objectOf<Target>({
          via,
          user_id: optional(text),
          oncall_schedule_id: optional(text),
          channel_id: optional(text),
          channel_name: optional(text),
          mention: optional(text),
          webhook_url: optional(textOrSealed),
        }),
      ) as Parse<Step['targets']>,
      escalate_after_minutes: optional(number),
    }),
  ),
);
