// Which groups the alerts of events belong to, before their open incidents are locked.
import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import { measured, within } from '../../alerts/effort.ts';
import type { AlertGroup } from '../../incidents/alert-context.ts';
import {
  type Configurations,
  configurationIn,
  type DecisionContext,
  type RoutedIntegration,
  routedIntegrationIn,
} from '../../incidents/configuration.ts';
import { groupOf, mayGroup } from '../../incidents/group-key.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import type { StoredEvent } from '../ports/events.ts';
import { type Group, groupText } from '../ports/keys.ts';
import { testEventPath } from './arrival.ts';

type Grouped = {
  readonly event: Pick<StoredEvent, 'organization_id' | 'integration_id' | 'path'>;
  readonly reading: Reading;
};

/** Those of triggers, by the integrations as they are configured. A test joins none. */
export function groupsOf(
  readables: readonly Grouped[],
  configurations: Configurations,
  now: Temporal.Instant,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { event, reading } of readables) {
    const { organization_id, integration_id, path } = event;
    const configuration = configurationIn(configurations, organization_id);
    if ('unreadable' in reading || path === testEventPath) continue;
    if (!configuration.integrations.has(integration_id)) continue;
    const integration = routedIntegrationIn(configuration, integration_id);
    if (!mayGroup(integration, configuration)) continue;
    let left = workOn(reading.alerts);
    for (const alert of reading.alerts) {
      const most = Math.min(left, incidentsLimits.rulesWork);
      const { result: own, units } = measured(() =>
        groupWithin(most, { alert, integration, context: { configuration, now } }),
      );
      left -= units;
      if (own === null) continue;
      const acrossTeam = own.across === 'integration' ? {} : { acrossTeam: integration.team_id };
      const group = { organization_id, group_key: own.key, ...acrossTeam };
      groups.set(groupText(group), group);
    }
  }
  return [...groups.values()];
}

/** How much work the rules may take about the alerts of one event. */
export const workOn = (alerts: readonly AlertEvent[]): number =>
  Math.max(incidentsLimits.rulesWork, incidentsLimits.rulesWorkOfMany * alerts.length);

type Grouping = {
  readonly alert: AlertEvent;
  readonly integration: RoutedIntegration;
  readonly context: DecisionContext;
};

/** Of triggers alone. One whose rules take too much work belongs to none: deciding it will say so. */
export const groupWithin = (
  most: number,
  { alert, integration, context }: Grouping,
): AlertGroup | null =>
  alert.action === 'trigger' ? within(() => groupOf(integration, alert, context), most) : null;
