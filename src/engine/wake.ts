// Which loops have something to do after a commit.
import { type Incident, wakeAt } from '../incidents/incident.ts';
import { wakesPages } from '../incidents/notice-cancellation.ts';
import { pollMs } from './loop.ts';
import type { Changes } from './ports/changes.ts';

/** Which loops a commit gave something to do. */
export type Wake = {
  readonly incidents: boolean;
  readonly notices: boolean;
  readonly backlog: boolean;
  readonly shifts: boolean;
  readonly posts: boolean;
};

export const noWake: Wake = {
  incidents: false,
  notices: false,
  backlog: false,
  shifts: false,
  posts: false,
};

/** Incidents that are due only after the loop's next poll do not wake it. */
export function wakeOf(changes: Changes, now: Temporal.Instant): Wake {
  const { opened, changed, intents, allClear, entries } = changes;
  const nextPoll = now.epochMilliseconds + pollMs;
  const isSoon = (incident: Incident) =>
    (wakeAt(incident)?.epochMilliseconds ?? Infinity) <= nextPoll;
  return {
    ...noWake,
    incidents: opened.some(isSoon) || changed.some(isSoon),
    notices: intents.length > 0 || allClear.length > 0 || entries.some(wakesPages),
  };
}
