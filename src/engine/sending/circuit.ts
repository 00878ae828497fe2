// Which of several connections is used first, while the vendor of one fails.
import { sendingLimits } from '../../limits/sending.ts';

/** What is known of a connection's last failures. It opens after some, and is closed by a success. */
export type Circuit = {
  /** When the vendor failed lately, the oldest first; while it is open, none. */
  readonly failures: readonly Temporal.Instant[];
  /** Until then other connections are used first, and after it one page tries. Null: it is closed. */
  readonly openUntil: Temporal.Instant | null;
  /** Until then the page that tries may take. */
  readonly probeUntil: Temporal.Instant | null;
};

export const closedCircuit: Circuit = { failures: [], openUntil: null, probeUntil: null };

const isPast = (at: Temporal.Instant, now: Temporal.Instant) =>
  Temporal.Instant.compare(at, now) <= 0;

export function afterFailure(circuit: Circuit, now: Temporal.Instant): Circuit {
  const { openUntil } = circuit;
  // What was sent before it opened, or for want of another way, does not keep it open.
  if (openUntil !== null) return isPast(openUntil, now) ? openedAt(now) : circuit;
  const began = now.subtract({ seconds: sendingLimits.circuitWindow });
  const failures = [...circuit.failures.filter((at) => !isPast(at, began)), now];
  const isOpening = failures.length >= sendingLimits.circuitFailures;
  return isOpening ? openedAt(now) : { ...closedCircuit, failures };
}

const openedAt = (now: Temporal.Instant): Circuit => ({
  ...closedCircuit,
  openUntil: now.add({ seconds: sendingLimits.circuitOpen }),
});

/** What was sent before it opened may succeed by chance: only what was sent since then closes it. */
export function afterSuccess(circuit: Circuit, now: Temporal.Instant): Circuit {
  const { openUntil } = circuit;
  if (openUntil === null) return circuit;
  const openedAt = openUntil.subtract({ seconds: sendingLimits.circuitOpen });
  return isPast(openedAt.add({ milliseconds: longestSendMs }), now) ? closedCircuit : circuit;
}

/** One call, and another one to send it in another form or to look it up. */
const longestSendMs = 2 * sendingLimits.vendorCallTime;

type InOrder = { readonly id: string; readonly circuit: Circuit };

type Order<Connection> = {
  /** None is left out: the last one may be the only way. */
  readonly order: readonly Connection[];
  /** The one that this page may try before them, if no other page does; null: none. */
  readonly probe: Connection | null;
};

/** `connections`: in the order of their positions. */
export function orderOf<Connection extends InOrder>(
  connections: readonly Connection[],
  now: Temporal.Instant,
): Order<Connection> {
  const isClosed = ({ circuit }: InOrder) => circuit.openUntil === null;
  const first = connections.findIndex(isClosed);
  const order = [
    ...connections.filter(isClosed),
    ...connections.filter((connection) => !isClosed(connection)),
  ];
  // Without a closed one they are used anyway.
  if (first === -1) return { order, probe: null };
  const probe = connections.slice(0, first).find(({ circuit: { openUntil, probeUntil } }) => {
    const isDue = openUntil !== null && isPast(openUntil, now);
    return isDue && (probeUntil === null || isPast(probeUntil, now));
  });
  return { order, probe: probe ?? null };
}

/** With the one first that this page tries. */
export const probing = <Connection extends InOrder>(
  order: readonly Connection[],
  probe: Connection,
): readonly Connection[] => [probe, ...order.filter(({ id }) => id !== probe.id)];
