/** A place, expression or rule that is not written as it must be; the message says why. */
export class NotationError extends Error {}
