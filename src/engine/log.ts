/** Where the program tells its operator what happens; pino fits it as it is. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** For tests of what is not said; whoever runs has somebody to tell. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** A fault in a few words, for a timeline. */
export const failureOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
