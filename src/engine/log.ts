/** Where the program tells its operator what happens; pino fits it as it is. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** For callers that have nobody to tell. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
