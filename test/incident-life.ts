// Incidents, people and alerts for the tests of this folder and of those that use it.
import type { AlertEvent } from '../src/alerts/alert.ts';
import type { KeyState, OpenGroup } from '../src/incidents/alert-context.ts';
import type { Configuration, RoutedIntegration } from '../src/incidents/configuration.ts';
import { decideAlert } from '../src/incidents/decide-alert.ts';
import type { DecisionResult } from '../src/incidents/decision-result.ts';
import type { Actor, Escalation, Incident, Outcome, Refused } from '../src/incidents/incident.ts';
import { advance, type IncidentEvent } from '../src/incidents/lifecycle.ts';
import type { RawKeyState } from '../src/incidents/raw-keys.ts';
import { shownRecipient } from '../src/incidents/recipient.ts';
import type { Step } from '../src/resources/escalation-policy.ts';
import { buildConfiguration } from './configuration.ts';

export const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
export const later = (minutes: number): Temporal.Instant =>
  noon.add({ milliseconds: Math.round(minutes * 60_000) });

export const eve: Actor = { type: 'user', id: 'eve', name: 'Eve', via: 'api' };

export const byMail = (user: string, wait?: number): Step => ({
  targets: [{ via: 'email', user_id: user }],
  ...(wait !== undefined && { escalate_after_minutes: wait }),
});

/** Ada, five minutes later Lin. */
export const adaThenLin: readonly Step[] = [byMail('ada', 5), byMail('lin')];

export const buildIntegration = (fields: Partial<RoutedIntegration> = {}): RoutedIntegration => ({
  organization_id: 'org',
  integration_id: 'integration',
  team_id: 'team',
  slug: 'webhook',
  name: 'Checks',
  enabled: true,
  archived: false,
  disableSuppression: false,
  repeats: false,
  ackTimeoutMinutes: null,
  autoResolve: null,
  resolveWhenQuiet: null,
  grouping: { by: [], window: null },
  mapping: null,
  service: { id: 'service', name: 'Shop', archived: false },
  policy: { id: 'policy', name: 'Ops', archived: false, delayMinutes: 0, steps: adaThenLin },
  ...fields,
});

export const withSteps = (steps: readonly Step[], delayMinutes = 0): RoutedIntegration =>
  buildIntegration({
    policy: { id: 'policy', name: 'Ops', archived: false, delayMinutes, steps },
  });

export const buildAlert = (fields: Partial<AlertEvent> = {}): AlertEvent => ({
  action: 'trigger',
  dedup_key: 'disk',
  title: 'Disk full',
  ...fields,
});

export const unknown: KeyState = {
  open: [],
  repeatCount: 0,
  repeatedAt: [],
  carried: { priority: null, severity: null },
};

type LifeFields = {
  readonly integration?: RoutedIntegration;
  readonly alert?: AlertEvent;
  readonly known?: Partial<KeyState>;
  readonly rawKeyState?: RawKeyState;
  readonly configuration?: Configuration;
  readonly now?: Temporal.Instant;
  readonly eventId?: string;
  readonly group?: OpenGroup | null;
  readonly isTest?: boolean;
  /** Of what it opens. */
  readonly id?: string;
};

export function received(fields: LifeFields = {}): DecisionResult {
  const { integration = buildIntegration(), alert = buildAlert(), now = noon } = fields;
  const { configuration = buildConfiguration({ integrations: [integration] }), eventId = 'event' } =
    fields;
  return decideAlert(integration, alert, {
    keyState: { ...unknown, ...fields.known },
    ...(fields.rawKeyState && { rawKeyState: fields.rawKeyState }),
    ...(fields.group && { group: fields.group }),
    context: {
      configuration,
      now,
      eventId,
      integrationId: integration.integration_id,
      ...(fields.isTest && { isTest: true }),
      newId: () => fields.id ?? 'incident',
    },
  });
}

/** An incident as it is right after it opened, with number 7. */
export function opened(fields: LifeFields = {}): Outcome {
  const [outcome] = received(fields).outcomes;
  if (!outcome) throw new Error('nothing opened');
  return { ...outcome, incident: { ...outcome.incident, number: 7 } };
}

/** One incident's life step by step: what each event said and whom it would tell. */
export class Life {
  incident: Incident;
  configuration: Configuration;
  now: Temporal.Instant;

  constructor(fields: LifeFields = {}) {
    const { integration = buildIntegration() } = fields;
    this.configuration =
      fields.configuration ?? buildConfiguration({ integrations: [integration] });
    this.now = fields.now ?? noon;
    this.incident = opened(fields).incident;
  }

  /** Does it, `at` so many minutes after noon. */
  does(event: IncidentEvent, at: number): Outcome | Refused {
    this.now = later(at);
    const outcome = advance(this.incident, event, {
      configuration: this.configuration,
      now: this.now,
    });
    if (!('refused' in outcome)) this.incident = outcome.incident;
    return outcome;
  }

  /** Whom it pages when the clock shows so many minutes after noon. */
  wakes(at: number): string[] {
    return paged(this.does({ type: 'timer' }, at));
  }

  get escalation(): Escalation {
    return this.incident.escalation;
  }
}

export const paged = (outcome: Outcome | Refused): string[] =>
  'refused' in outcome
    ? ['refused']
    : outcome.intents.map((one) => `${one.kind} ${shownRecipient(one)} by ${one.channel}`);

export const entryTypes = (outcome: Outcome | Refused): string[] =>
  'refused' in outcome ? ['refused'] : outcome.entries.map((one) => one.type);
