/** What was read just before a part of the page wants it is not read twice. */
export const FRESH_MS = 5_000;
