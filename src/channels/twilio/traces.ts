// Requests without an answer, which Twilio may have done all the same. What each was is known to this
// server alone; of another that has died only when the attempt was begun.

/** Those that are longest ago are forgotten. */
const REMEMBERED = 1_000;

export type Traces = {
  begin(trace: string, at: Temporal.Instant): void;
  /** Since when it is not known whether it was done; null: it is. */
  since(trace: string): Temporal.Instant | null;
  /** It has this id. */
  end(trace: string, sid: string): void;
  /** Whether the id is known to be of some request. */
  isTaken(sid: string): boolean;
};

export function createTraces(): Traces {
  const open = new Map<string, Temporal.Instant>();
  const taken = new Map<string, true>();
  return {
    begin(trace, at) {
      if (!open.has(trace)) remember(open, trace, at);
    },
    since: (trace) => open.get(trace) ?? null,
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
