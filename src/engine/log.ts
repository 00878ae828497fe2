/** The program's log, for its operator; pino implements it. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** For tests. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** The message of an error, or whatever else was thrown, as text. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The same, short enough for a timeline. */
export const failureOf = (error: unknown): string => messageOf(error).slice(0, 200);
