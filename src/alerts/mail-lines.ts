// The lines of a mail's text as tools write them, also where the mail was quoted in a forward. Only
// as much is read as tools write, and in one pass, since strangers can send anything.
import { eventsLimits } from '../limits/events.ts';

export const startOf = (text: string): string => text.slice(0, eventsLimits.mailTextLength);

/** Those that a tool writes first, each without its end. */
export const linesOf = (text: string): readonly string[] => startOf(text).split(/\r\n|\r|\n/);

/** What follows on the first line that begins so and goes on. */
export function restOf(lines: readonly string[], start: RegExp): string | undefined {
  for (const line of lines) {
    const [prefix = ''] = start.exec(line) ?? [];
    const rest = prefix && line.slice(prefix.length).trim();
    if (rest) return rest;
  }
  return undefined;
}

/** What stands behind a name on a line of its own. */
export const namedIn = (lines: readonly string[], name: string): string | undefined =>
  restOf(lines, new RegExp(`^[>|\\s]*${name}:`));
