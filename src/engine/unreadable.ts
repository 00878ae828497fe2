import { failureOf } from './log.ts';

/** It is there, but stored in a form that this version cannot read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';

  /** The message has the path of the field only, since its value may be a secret. */
  constructor(what: string, cause: unknown) {
    super(`${what} is stored in a form that cannot be read: ${failureOf(cause)}`, { cause });
  }
}
