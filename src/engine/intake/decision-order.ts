// In which order the alerts of one request are decided.
import type { AlertEvent } from '../../alerts/alert.ts';

/**
 * The order in which the alerts of one request are decided, by their indexes. Where alerts are grouped:
 * triggers before the ends of other keys, so that a group does not end and open again.
 */
export function decisionOrder(
  alerts: readonly Pick<AlertEvent, 'action' | 'dedup_key'>[],
  areGrouped: boolean,
): readonly number[] {
  const all = [...alerts.keys()];
  if (!areGrouped) return all;
  const ended = new Set<string>();
  const isFirst = all.map((index) => {
    const { action = 'trigger', dedup_key = '' } = alerts[index] ?? {};
    if (action !== 'trigger') ended.add(dedup_key);
    return action === 'trigger' && !ended.has(dedup_key);
  });
  return [...all.filter((index) => isFirst[index]), ...all.filter((index) => !isFirst[index])];
}

/** In that order; the results are in the order of the alerts. */
export function inDecisionOrder<Result>(
  alerts: readonly AlertEvent[],
  areGrouped: boolean,
  decide: (alert: AlertEvent) => Result,
): readonly Result[] {
  const results = new Map<number, Result>();
  for (const index of decisionOrder(alerts, areGrouped)) {
    const alert = alerts[index];
    if (alert) results.set(index, decide(alert));
  }
  return alerts.map((_, index) => results.get(index) as Result);
}
