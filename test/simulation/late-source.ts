// A tool whose messages have an instant of their own, and come late, twice and out of order.
import type { AlertRequest } from '../../src/alerts/alert.ts';
import { instantOf } from '../../src/alerts/instant.ts';
import type { IntegrationType } from '../../src/alerts/integration-type.ts';
import { toldByGroup } from '../../src/alerts/told.ts';
import { webhookType } from '../http-event.ts';

/** Reads `told`, when the problem began or ended, beside what the type webhook reads. */
export const lateType: IntegrationType = {
  ...webhookType,
  read(request, about, mapping) {
    const reading = webhookType.read(request, about, mapping);
    const told = toldByGroup(instantOf(toldIn(request)), about.receivedAt);
    if (!('alerts' in reading) || told === undefined) return reading;
    return { ...reading, alerts: reading.alerts.map((alert) => ({ ...alert, told })) };
  },
};

const toldIn = (request: AlertRequest): string | undefined =>
  request.source === 'http'
    ? (JSON.parse(new TextDecoder().decode(request.body)) as { told?: string }).told
    : undefined;
