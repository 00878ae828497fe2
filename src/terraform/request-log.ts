// What the log of the provider says of requests: what was asked and what became of it, never what
// was sent or answered.
import type { Client, Tried } from '../client/client.ts';
import type { Log } from './protocol/log.ts';

const STILL_WAITING_MS = 30_000;

/** Texts, because Terraform takes no others. */
export function logTry(log: Log, { method, path, tries, ms, outcome, ...rest }: Tried): void {
  const { requestId, againInMs } = rest;
  const fields = {
    method,
    path,
    outcome,
    try: String(tries),
    ms: ms.toFixed(0),
    ...(requestId !== '' && { request_id: requestId }),
    ...(againInMs !== null && { again_in_ms: againInMs.toFixed(0) }),
  };
  const what = `${method} ${path}: ${outcome}`;
  if (againInMs === null) log('debug', what, fields);
  else log('warn', `${what}; retrying`, fields);
}

/** Calls back every so often, until the function that it returns is called. */
export type Every = (ms: number, call: () => void) => () => void;

/** A request that takes long is told while it does, with all its tries and the waits between. */
export function logWaiting(client: Client, log: Log, every: Every = interval): Client {
  return {
    ...client,
    async send(request) {
      const { method, path } = request;
      let seconds = 0;
      const stop = every(STILL_WAITING_MS, () => {
        seconds += STILL_WAITING_MS / 1_000;
        log('warn', `still waiting for ${method} ${path}`, { seconds: String(seconds) });
      });
      try {
        return await client.send(request);
      } finally {
        stop();
      }
    },
  };
}

const interval: Every = (ms, call) => {
  const timer = setInterval(call, ms);
  return () => clearInterval(timer);
};
