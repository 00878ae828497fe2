// Whether two ledgers answer the same, whatever each calls its receivers and deliveries.
import assert from 'node:assert/strict';

/** Of one ledger alone: names that are told and decide nothing, and how it keeps things apart. */
const ofOne = new Set([
  ...['organizationName', 'serviceName', 'role', 'delivery_id'],
  ...['webhook', 'subject', 'content', 'version', 'schedules'],
  // Only channels of vendors look at it, of which no simulated world has one.
  'unknownSince',
  // Stored beside the list of alerts, and what decisions do not read again.
  ...['alerts_firing', 'alerts_total', 'content'],
  // Toward a monthly limit, which no simulated world has.
  'isCounted',
]);
/** Answered in no order that is promised. */
const inNoOrder: ReadonlySet<string> = new Set(['dueIncidents', 'dueShiftCursors']);
export const isInNoOrder = (question: string): boolean => inNoOrder.has(question);

export function assertSame(question: string, mine: unknown, theirs: unknown): void {
  const compared = (value: unknown) => (question === 'claim' ? withoutAlerts(value) : value);
  const sorted = (value: unknown) =>
    isInNoOrder(question) ? inOrder(plain(compared(value))) : plain(compared(value));
  const text = `the ledgers answer ${question} differently`;
  assert.deepEqual(sorted(theirs), sorted(mine), text);
}

/** Notices only count the alerts of their incident. */
const withoutAlerts = (claimed: unknown): unknown =>
  Array.isArray(claimed)
    ? claimed.map((one) => ({
        ...one,
        incident: one.incident && { ...one.incident, alerts: null },
      }))
    : claimed;

const inOrder = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;

function plain(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, of]) => [key, plain(of)]));
  if (value instanceof Set) return [...value].map(plain).sort();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  // PostgreSQL has where a webhook is, memory its id alone.
  if ('about' in value && value.about === 'call' && 'address' in value && value.address !== null)
    return plain({ ...value, address: null });
  const entries = Object.entries(value).filter(([name, of]) => of != null && !ofOne.has(name));
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, of]) => [name, plain(of)]));
}
