// A key that a template did not fill in, or that a tool sends for everything, tells no problems
// apart. An end that has nothing else ends the one open incident that came with it, if no other can
// be meant: docs/decisions/0077-units-of-a-problem.md.
import { oneLine } from '../alerts/text.ts';
import { type Incident, isDue } from './incident.ts';

/** What is known of a raw key at an integration. */
export type RawKeyState = {
  /** Open incidents that came with it, or into which one that did was merged; oldest first. */
  readonly open: readonly Incident[];
  /** When one that came with it was resolved or merged last; null: none was. */
  readonly lastResolvedAt: Temporal.Instant | null;
};

export const noRawKey: RawKeyState = { open: [], lastResolvedAt: null };

/** The incident that an end with nothing but that key ends, or why it ends none. */
export function endedBy(
  rawKey: string,
  { open, lastResolvedAt }: RawKeyState,
): { readonly incident: Incident } | { readonly reason: string } {
  const [incident, ...others] = open;
  const shown = `"${oneLine(rawKey).slice(0, 100)}"`;
  if (incident === undefined) return { reason: `no open incident came with the key ${shown}` };
  const isMerged = incident.raw_key !== rawKey && incident.dedup_key !== rawKey;
  const isAlone = lastResolvedAt === null || !isDue(incident.created_at, lastResolvedAt);
  if (others.length === 0 && !isMerged && isAlone) return { incident };
  return {
    reason: `several open incidents came with the key ${shown}, so it may be the end of any of them`,
  };
}
