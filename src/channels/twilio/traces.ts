// Requests without an answer, which Twilio may have done all the same. What each was is known to this
// server alone; of another that has died only when the attempt was begun.

/** Those that are longest ago are forgotten. */
const REMEMBERED = 1_000;

type Trace = {
  /** When the request was begun; null: another server has begun it. */
  readonly since: Temporal.Instant | null;
  /** Since when nothing is known of it: the end of the request, or the first look for that of another. */
  readonly lostAt: Temporal.Instant;
};

export type Traces = {
  /** `trace` names a notice on its way to a number. */
  begin(trace: string, connectionId: string, lost: Trace): void;
  /** Since when it is not known whether that account has done it; null: it is. */
  since(trace: string, connectionId: string): Temporal.Instant | null;
  /** Null: no request is known whose answer was lost. */
  lostAt(trace: string, connectionId: string): Temporal.Instant | null;
  /** It was not done. */
  forget(trace: string, connectionId: string): void;
  /** It has this id, whichever account has done it. */
  end(trace: string, sid: string): void;
  /** Whether the id is known to be of some request. */
  isTaken(sid: string): boolean;
};

export function createTraces(): Traces {
  const open = new Map<string, Map<string, Trace>>();
  const taken = new Map<string, true>();
  return {
    begin(trace, connectionId, { since, lostAt }) {
      const begun = open.get(trace) ?? new Map<string, Trace>();
      const first = begun.get(connectionId)?.since ?? since;
      remember(open, trace, begun.set(connectionId, { since: first, lostAt }));
    },
    since: (trace, connectionId) => open.get(trace)?.get(connectionId)?.since ?? null,
    lostAt: (trace, connectionId) => open.get(trace)?.get(connectionId)?.lostAt ?? null,
    forget: (trace, connectionId) => void open.get(trace)?.delete(connectionId),
    end(trace, sid) {
      open.delete(trace);
      remember(taken, sid, true);
    },
    isTaken: (sid) => taken.has(sid),
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
}
