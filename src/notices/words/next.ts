// What happens next to an incident if nobody acts, in one sentence.
import { type Incident, reachesSomebody } from '../../incidents/incident.ts';
import type { TimerType } from '../../incidents/lifecycle.ts';
import type { Upcoming } from '../../incidents/next.ts';
import { shownRecipient } from '../../incidents/recipient.ts';
import { phraseOf } from './wording.ts';

const NAMES_MAX = 3;

/** Its outcome is absent where nobody knows whom a step will page. */
type Next = Pick<Upcoming, 'at'> & {
  readonly timer: TimerType;
  readonly outcome?: Upcoming['outcome'];
};

/** Empty for an incident that is over. */
export function nextText(
  incident: Incident,
  upcoming: Next | null,
  when: (at: Temporal.Instant) => string,
): string {
  if (incident.status === 'resolved') return '';
  if (upcoming === null)
    return incident.status === 'acknowledged'
      ? 'Nobody else is paged.'
      : 'Nobody else is paged until someone acts.';
  const at = when(upcoming.at);
  switch (upcoming.timer) {
    case 'step': {
      const step = `Step ${incident.escalation.nextStep + 1}`;
      return upcoming.outcome
        ? `${step} pages ${reachedBy(upcoming.outcome)} at ${at}.`
        : `${step} runs at ${at} unless someone acknowledges.`;
    }
    case 'repeat': {
      const again = `Paging starts again at ${at}`;
      return upcoming.outcome
        ? `${again}. Step 1 pages ${reachedBy(upcoming.outcome)}.`
        : `${again} unless someone acknowledges.`;
    }
    case 'unacknowledge':
      return `If it is not resolved by ${at}, paging starts again at step 1.`;
    case 'unmute':
      return `It is muted until ${at}.`;
    case 'resolve':
      return `It is resolved automatically at ${at}.`;
    case 'expire':
    case 'quiet':
      return `It is resolved at ${at} unless its source reports it again.`;
  }
}

/** Each once, and no more than can be read at a glance. */
function reachedBy({ intents }: Upcoming['outcome']): string {
  const pages = intents.filter((one) => one.kind !== 'webhook' && reachesSomebody(one));
  const names = [...new Set(pages.map((page) => phraseOf(shownRecipient(page))))];
  const shown = names.filter((name) => name !== '').slice(0, NAMES_MAX);
  const more = names.length - shown.length;
  if (shown.length === 0) return 'nobody';
  const last = more > 0 ? `${more} more` : shown.length > 1 ? shown.pop() : undefined;
  return last === undefined ? shown.join(', ') : `${shown.join(', ')} and ${last}`;
}
