// By what alerts are grouped: those with equal values join one incident.
import type { AlertEvent, Json } from '../alerts/alert.ts';
import { canonical } from '../alerts/body/json.ts';
import { shortHash } from '../alerts/hash.ts';
import { detailValue } from '../rules/details.ts';
import type { RoutedIntegration } from './configuration.ts';

/** A longer value counts by its hash. */
const VALUE_LENGTH = 500;
const detailsPrefix = 'details.';

/** The group of Alertmanager's route without labels is everything that it sends. */
const isWithoutLabels = (group: string): boolean => group.endsWith(':{}');

/** Null: the integration groups nothing, or the alert lacks one of the values. */
export function groupKeyOf(
  integration: Pick<
    RoutedIntegration,
    'grouping' | 'disableSuppression' | 'integration_id' | 'service' | 'formerKeys'
  >,
  alert: Omit<AlertEvent, 'action'>,
): string | null {
  const { grouping, disableSuppression, integration_id, service, formerKeys } = integration;
  if (grouping.by.length === 0 || disableSuppression || formerKeys) return null;
  // What ends without a key of its own could end any of several alerts.
  if (alert.raw_key !== undefined) return null;
  const values: Json[] = [];
  for (const name of grouping.by) {
    const value = valueIn(name, alert, service.id);
    if (value === undefined) return null;
    const text = canonical(value);
    values.push(text.length > VALUE_LENGTH ? shortHash(text) : text);
  }
  return shortHash(canonical([integration_id, [...grouping.by], values]));
}

/** Undefined: it lacks it. */
function valueIn(
  name: string,
  alert: Omit<AlertEvent, 'action'>,
  serviceId: string,
): Json | undefined {
  if (name.startsWith(detailsPrefix)) {
    const value = detailValue(alert.details, name.slice(detailsPrefix.length));
    return value === null || value === '' ? undefined : (value as Json | undefined);
  }
  switch (name) {
    case 'group':
      return alert.group === undefined || isWithoutLabels(alert.group) ? undefined : alert.group;
    case 'service':
      return serviceId;
    case 'title':
      return alert.title;
    case 'severity':
      return alert.severity;
    case 'priority':
      return alert.priority;
    default:
      return undefined;
  }
}
