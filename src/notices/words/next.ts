// What happens next to an incident if nobody acts, in one sentence.
import { type Incident, reachesSomebody } from '../../incidents/incident.ts';
import type { TimerType } from '../../incidents/lifecycle.ts';
import type { Upcoming } from '../../incidents/next.ts';
import { shownRecipient } from '../../incidents/recipient.ts';
import { english, type Phrases } from './en.ts';
import { phraseOf } from './wording.ts';

const NAMES_MAX = 3;

/** Its outcome is absent where nobody knows whom a step will page. */
type Next = Pick<Upcoming, 'at'> & {
  readonly timer: TimerType;
  readonly outcome?: Upcoming['outcome'];
};

type NextWords = {
  readonly when: (at: Temporal.Instant) => string;
  readonly phrases?: Pick<Phrases, 'next'>;
};

/** Empty for an incident that is over. Whom a step will page is said in English alone. */
export function nextText(
  incident: Incident,
  upcoming: Next | null,
  { when, phrases: { next } = english }: NextWords,
): string {
  if (incident.status === 'resolved') return '';
  if (upcoming === null)
    return incident.status === 'acknowledged' ? next.acknowledged : next.nobody;
  const at = when(upcoming.at);
  switch (upcoming.timer) {
    case 'step': {
      const number = incident.escalation.nextStep + 1;
      return upcoming.outcome
        ? `Step ${number} pages ${reachedBy(upcoming.outcome)} at ${at}.`
        : next.step(number, at);
    }
    case 'repeat':
      return upcoming.outcome
        ? `Paging starts again at ${at}. Step 1 pages ${reachedBy(upcoming.outcome)}.`
        : next.repeat(at);
    case 'unacknowledge':
      return next.unacknowledge(at);
    case 'unmute':
      return next.unmute(at);
    case 'resolve':
      return next.resolve(at);
    case 'expire':
    case 'quiet':
      return next.expire(at);
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
