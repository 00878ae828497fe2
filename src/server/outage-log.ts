// While the database cannot be used, everything that needs it fails, many times a second. The log
// has one line for each reason, and one when it is over.
import type { Log } from '../engine/log.ts';
import { unavailableOf } from '../storage/database/unavailable.ts';

export type OutageLog = {
  readonly log: Log;
  /** The database was asked, and answered. */
  answered(): void;
};

/** Some of what is requested may be refused while the rest is answered. */
const QUIET_MILLISECONDS = 10_000;

/** `now` in milliseconds, by a clock that nobody sets. */
export function createOutageLog(log: Log, now: () => number): OutageLog {
  const reasons = new Set<string>();
  let began = 0;
  let last = 0;
  let left = 0;

  const unlessKnown = (write: Log['error']) => (fields: object, message: string) => {
    const error = 'err' in fields ? unavailableOf(fields.err) : null;
    if (error === null) return write(fields, message);
    last = now();
    if (reasons.size === 0) began = last;
    // Whichever way it was lost; but what it answers is a reason of its own.
    const reason = error.isOutcomeUnknown && !error.isRefusal ? '' : error.code;
    if (reasons.has(reason)) {
      left += 1;
      return;
    }
    reasons.add(reason);
    log.error(
      { code: error.code, ...fields, err: error },
      `${error.message}; requests get 503, and everything else is retried`,
    );
  };
  return {
    log: {
      info: (fields, message) => log.info(fields, message),
      warn: unlessKnown((fields, message) => log.warn(fields, message)),
      error: unlessKnown((fields, message) => log.error(fields, message)),
    },
    answered() {
      if (reasons.size === 0 || now() - last < QUIET_MILLISECONDS) return;
      const seconds = Math.round((last - began) / 1_000);
      log.info({ seconds, not_logged: left }, 'the database can be used again');
      reasons.clear();
      left = 0;
    },
  };
}
