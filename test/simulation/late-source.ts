// A tool whose messages have an instant of their own, and come late, twice and out of order.
import type { AlertRequest } from '../../src/alerts/alert.ts';
import { instantOf } from '../../src/alerts/instant.ts';
import type { IntegrationType } from '../../src/alerts/integration-type.ts';
import { groupTime } from '../../src/alerts/source-time.ts';
import { webhookType } from '../http-event.ts';

/** Reads `sourceTime`, when the problem began or ended, next to what the type webhook reads. */
export const lateType: IntegrationType = {
  ...webhookType,
  read(request, about, mapping) {
    const reading = webhookType.read(request, about, mapping);
    const sourceTime = groupTime(instantOf(timeIn(request)), about.receivedAt);
    if (!('alerts' in reading) || sourceTime === undefined) return reading;
    return { ...reading, alerts: reading.alerts.map((alert) => ({ ...alert, sourceTime })) };
  },
};

const timeIn = (request: AlertRequest): string | undefined =>
  request.source === 'http'
    ? (JSON.parse(new TextDecoder().decode(request.body)) as { sourceTime?: string }).sourceTime
    : undefined;
