// Alerts of several keys, and the open incidents that they may join, as a ledger finds them.
import type { AlertEvent } from '../src/alerts/alert.ts';
import type { Configuration, RoutedIntegration } from '../src/incidents/configuration.ts';
import { groupOf } from '../src/incidents/group-key.ts';
import type { Incident, Outcome } from '../src/incidents/incident.ts';
import { alertsOf } from '../src/incidents/incident-alerts.ts';
import { advance, type IncidentEvent } from '../src/incidents/lifecycle.ts';
import type { Rule } from '../src/rules/match-rule.ts';
import { buildConfiguration } from './configuration.ts';
import {
  buildAlert,
  buildIntegration,
  entryTypes,
  later,
  paged,
  received,
} from './incident-life.ts';

export const grouped = buildIntegration({ grouping: { by: ['group'], window: null } });
export const group = '{}:{alertname="DiskFull"}';
export const disk = (name: string, fields: Partial<AlertEvent> = {}): AlertEvent =>
  buildAlert({ dedup_key: name, title: `Disk full on ${name}`, group, ...fields });

/** The open incidents of one organization, as a ledger finds them. */
export class GroupWorld {
  readonly configuration: Configuration;
  readonly integration: RoutedIntegration;
  incidents: readonly Incident[] = [];
  #number = 0;

  constructor(
    integration: RoutedIntegration = grouped,
    rules: readonly Rule[] = [],
    others: readonly RoutedIntegration[] = [],
  ) {
    this.integration = integration;
    this.configuration = buildConfiguration({ integrations: [integration, ...others], rules });
  }

  sends(alert: AlertEvent, at = 0, integration = this.integration) {
    const { configuration } = this;
    const { integration_id } = integration;
    const group = groupOf(integration, alert, { configuration, now: later(at) });
    const open = this.incidents.filter(({ status }) => status !== 'resolved');
    const result = received({
      integration,
      configuration,
      alert,
      now: later(at),
      known: {
        open: open.filter((one) =>
          alertsOf(one).some(
            (own) => own.dedup_key === alert.dedup_key && own.integration_id === integration_id,
          ),
        ),
      },
      group: group && {
        ...group,
        open: open.filter(({ group_key }) => group_key === group.key).toReversed(),
      },
      id: `incident${this.#number + 1}`,
    });
    for (const outcome of result.outcomes) this.#put(outcome);
    return result;
  }

  does(number: number, event: IncidentEvent, at: number): Outcome {
    const context = { configuration: this.configuration, now: later(at) };
    const outcome = advance(this.incident(number), event, context);
    if ('refused' in outcome) throw new Error(outcome.refused);
    this.#put(outcome);
    return outcome;
  }

  incident(number: number): Incident {
    const one = this.incidents.find((incident) => incident.number === number);
    if (!one) throw new Error(`no INC-${number}`);
    return one;
  }

  states(number: number) {
    return alertsOf(this.incident(number)).map(({ dedup_key, state, times }) => [
      dedup_key,
      state,
      times,
    ]);
  }

  #put({ incident }: Outcome): void {
    const isKnown = this.incidents.some(({ id }) => id === incident.id);
    if (!isKnown) this.#number += 1;
    const stored = isKnown ? incident : { ...incident, number: this.#number };
    this.incidents = [...this.incidents.filter(({ id }) => id !== incident.id), stored].sort(
      (one, other) => one.number - other.number,
    );
  }
}

export const pagesOf = ({ outcomes }: ReturnType<GroupWorld['sends']>) => outcomes.flatMap(paged);
export const typesOf = ({ outcomes }: ReturnType<GroupWorld['sends']>) =>
  outcomes.flatMap(entryTypes);
