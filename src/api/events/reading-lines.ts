// A reading on its way from a thread: as lines of JSON, which the thread that pages reads a few at a
// time. A structured clone would take it twice as long, and hold it up for all of that.
import { setImmediate } from 'node:timers/promises';
import type { AlertEvent, Json, Reading, SourceTime } from '../../alerts/alert.ts';
import { withinNodes } from '../../alerts/reading/nodes.ts';
import { eventsLimits } from '../../limits/events.ts';

/** Alerts stand in one line until it is as long as that. */
const LINE_CHARS_MIN = 64 * 1024;

type Head = Exclude<Reading, { readonly alerts: unknown }> | { readonly note?: string };

export function linesOf(reading: Reading): Uint8Array {
  if ('unreadable' in reading) return encoded([JSON.stringify(reading satisfies Head)]);
  const { alerts, note } = reading;
  const most = Math.max(
    eventsLimits.valuesOfMany,
    Math.min(eventsLimits.valuesOfOne, eventsLimits.values / alerts.length),
  );
  const lines = [JSON.stringify((note === undefined ? {} : { note }) satisfies Head)];
  let line: string[] = [];
  let length = 0;
  for (const [index, alert] of alerts.entries()) {
    const text = JSON.stringify(withFewer(alert, most));
    line.push(text);
    length += text.length;
    if (length < LINE_CHARS_MIN && index < alerts.length - 1) continue;
    lines.push(`[${line.join()}]`);
    line = [];
    length = 0;
  }
  return encoded(lines);
}

const encoded = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.join('\n'));

const withFewer = (alert: AlertEvent, most: number): AlertEvent =>
  alert.details === undefined ? alert : { ...alert, details: withinNodes(alert.details, most) };

/** Others have their turn in between. */
export async function readingIn(lines: Uint8Array): Promise<Reading> {
  const [first = '{}', ...rest] = new TextDecoder().decode(lines).split('\n');
  const head = JSON.parse(first) as Head;
  if ('unreadable' in head) return head;
  const alerts: AlertEvent[] = [];
  for (const line of rest) {
    for (const alert of JSON.parse(line) as SentAlert[]) alerts.push(alertIn(alert));
    await setImmediate();
  }
  return { alerts, ...head };
}

type SentAlert = Omit<AlertEvent, 'expires_at' | 'sourceTime' | 'direct' | 'details'> & {
  readonly direct?: { readonly sender: string; readonly endsAt: string };
  readonly sourceTime?: Omit<SourceTime, 'at'> & { readonly at: string };
  readonly details?: Json;
  readonly expires_at?: string;
};

const alertIn = ({ expires_at, sourceTime, direct, ...alert }: SentAlert): AlertEvent => ({
  ...alert,
  ...(expires_at !== undefined && { expires_at: Temporal.Instant.from(expires_at) }),
  ...(direct && { direct: { ...direct, endsAt: Temporal.Instant.from(direct.endsAt) } }),
  ...(sourceTime && { sourceTime: { ...sourceTime, at: Temporal.Instant.from(sourceTime.at) } }),
});
