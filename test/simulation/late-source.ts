// A tool whose messages have an instant of their own, and come late, twice and out of order; and two
// Prometheus that send the same alerts themselves.
import type { AlertRequest } from '../../src/alerts/alert.ts';
import { instantOf } from '../../src/alerts/instant.ts';
import type { IntegrationType } from '../../src/alerts/integration-type.ts';
import { groupTime } from '../../src/alerts/source-time.ts';
import { readPrometheus } from '../../src/alerts/types/prometheus.ts';
import { webhookType } from '../http-event.ts';
import type { Luck } from './luck.ts';

/**
 * Reads `sourceTime`, when the problem began or ended, next to what the type webhook reads; and lists
 * as Prometheus sends them.
 */
export const lateType: IntegrationType = {
  ...webhookType,
  read(request, about, mapping) {
    if (request.source === 'http' && Array.isArray(jsonOf(request)))
      return readPrometheus(request, about);
    const reading = webhookType.read(request, about, mapping);
    const sourceTime = groupTime(instantOf(timeIn(request)), about.receivedAt);
    if (!('alerts' in reading) || sourceTime === undefined) return reading;
    return { ...reading, alerts: reading.alerts.map((alert) => ({ ...alert, sourceTime })) };
  },
};

const jsonOf = ({ body }: Pick<Extract<AlertRequest, { source: 'http' }>, 'body'>): unknown =>
  JSON.parse(new TextDecoder().decode(body));

const timeIn = (request: AlertRequest): string | undefined =>
  request.source === 'http' ? (jsonOf(request) as { sourceTime?: string }).sourceTime : undefined;

/** By how many minutes the clocks of the two are ahead. */
const aheadOf = { 'prom-a': -5, 'prom-b': 2 } as const;

/** One of them reports that an alert goes on, or that it has ended; an end comes again and again. */
export function sentByOne(luck: Luck, now: Temporal.Instant, alertname: string): object {
  const sender = luck.of(['prom-a', 'prom-b'] as const);
  const ended = now.round({ smallestUnit: 'minute', roundingIncrement: 10, roundingMode: 'floor' });
  const endsAt = luck.chance(0.7) ? now.add({ minutes: 4 }) : ended;
  return [
    {
      labels: { alertname },
      generatorURL: `http://${sender}:9090/graph`,
      endsAt: `${endsAt.add({ minutes: aheadOf[sender] })}`,
    },
  ];
}
