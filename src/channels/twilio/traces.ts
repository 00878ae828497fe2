// Requests without an answer, which Twilio may have done all the same. What each was is known to this
// server alone; of another that has died only when the attempt was begun.

/** Those that are longest ago are forgotten. */
const REMEMBERED = 1_000;

export type Traces = {
  /** `trace` names a notice on its way to a number. */
  begin(trace: string, connectionId: string, at: Temporal.Instant): void;
  /** Since when it is not known whether that account has done it; null: it is. */
  since(trace: string, connectionId: string): Temporal.Instant | null;
  /** It has this id, whichever account has done it. */
  end(trace: string, sid: string): void;
  /** Whether the id is known to be of some request. */
  isTaken(sid: string): boolean;
};

export function createTraces(): Traces {
  const open = new Map<string, Map<string, Temporal.Instant>>();
  const taken = new Map<string, true>();
  return {
    begin(trace, connectionId, at) {
      const begun = open.get(trace) ?? new Map<string, Temporal.Instant>();
      if (!begun.has(connectionId)) remember(open, trace, begun.set(connectionId, at));
    },
    since: (trace, connectionId) => open.get(trace)?.get(connectionId) ?? null,
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
