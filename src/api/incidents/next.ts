// GET /incidents/:id/next: what happens if nobody acts.
import Type from 'typebox';
import type { DecisionContext } from '../../incidents/configuration.ts';
import { type Incident, type Outcome, reachesSomebody } from '../../incidents/incident.ts';
import { timerTypes } from '../../incidents/lifecycle.ts';
import { type Upcoming, whatIsNext } from '../../incidents/next.ts';
import { cancellationReason, endsMute } from '../../incidents/notice-cancellation.ts';
import { queryLimits } from '../../limits/queries.ts';
import { instant, word } from '../../resources/declaration/answer.ts';
import { choice, objectOf } from '../../resources/declaration/field.ts';
import type { ConfigurationCache } from '../../storage/configuration/cache.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { Sql } from '../../storage/database/database.ts';
import { type WaitingPage, waitingPages } from '../../storage/incidents/waiting-pages.ts';
import { timeText } from '../../storage/records/rows.ts';
import { noticeOf, skippedIn } from '../../what-if/notices.ts';
import { type Call, ok, type Route } from '../route.ts';
import { plannedNoticeAnswer } from '../what-if/simulation-answer.ts';
import { plannedNotice } from '../what-if/simulation-shape.ts';
import { incidentInPath } from './request.ts';

export type ConfigurationParts = {
  readonly sql: Sql;
  readonly configurations: ConfigurationCache;
};

export const plannedNotices = Type.Array(objectOf(plannedNotice), {
  description:
    'Who is notified, and which recipients cannot be reached. All-clears are not included.',
});

export const upcomingShape = objectOf(
  {
    at: instant('When it happens.'),
    type: choice(timerTypes, {
      doc: 'resolve: the auto-resolve timer resolves the incident. expire: its source no longer reports the alert, so the incident is resolved. quiet: no alert arrived within the time set by the integration, so the incident is resolved. unmute: the mute ends. unacknowledge: the acknowledgement times out. step: a policy step runs. repeat: the policy restarts at step 1.',
    }),
    text: word('What happens, as sentences.'),
    notices: plannedNotices,
  },
  'What a timer of the incident will do unless someone acts first.',
);

const shape = objectOf({
  at: instant('The time from which the forecast is computed.'),
  data: Type.Array(upcomingShape, {
    description: `The next timer events of the incident in order, at most ${queryLimits.incidentNext}.`,
  }),
  end: choice(['resolved', 'nothing', 'more'], {
    doc: 'How the forecast ends. resolved: the incident is over. nothing: the incident stays as it is until someone acts. more: the list is truncated.',
  }),
});

export const nextRoute = (parts: ConfigurationParts): Route => ({
  method: 'GET',
  path: '/incidents/:id/next',
  tag: 'incidents',
  doc: 'Forecasts what happens to an incident, and who is notified, if nobody acts and every page is delivered.',
  role: 'viewer',
  answers: { status: 200, schema: shape },
  async handle(call) {
    const incident = await incidentInPath(parts.sql, call);
    const known = await knownAbout(parts, call, [incident]);
    const { upcoming, end } = whatIsNext(incident, known, queryLimits.incidentNext);
    const data = upcoming.map((one) => renderUpcoming(one, known));
    return ok({ at: timeText(call.now), data, end });
  },
});

/** Of an incident's timers the next one; null: there is none. */
export function nextOf(incident: Incident, known: Known) {
  const [first] = whatIsNext(incident, known, 1).upcoming;
  return first ? renderUpcoming(first, known) : null;
}

/** What is asked about incidents besides themselves. */
export type Known = DecisionContext & { readonly waiting: readonly WaitingPage[] };

/** Read after the incidents: it then has all that they name. */
export async function knownAbout(
  { sql, configurations }: ConfigurationParts,
  { caller: { organizationId }, now }: Call,
  incidents: readonly Incident[],
): Promise<Known> {
  const parts = { sql, configurations };
  const { configuration } = await readConfiguration(parts, { organizationId, from: now, now });
  return { configuration, now, waiting: await waitingPages(sql, organizationId, incidents) };
}

function renderUpcoming({ at, timer, outcome }: Upcoming, known: Known) {
  return {
    at: timeText(at),
    type: timer,
    text: textOf(outcome.entries),
    notices: noticesOf(outcome, { at, waiting: known.waiting }),
  };
}

export const textOf = (entries: Outcome['entries']): string =>
  entries.map(({ text }) => `${text}.`).join(' ');

type Moment = Pick<Known, 'waiting'> & { readonly at: Temporal.Instant };

/** Who is notified by it; without all-clears. */
export function noticesOf({ incident, intents, entries }: Outcome, { at, waiting }: Moment) {
  const released = entries.some(endsMute)
    ? waiting.filter(
        (page) => page.incident_id === incident.id && cancellationReason(page, incident) === null,
      )
    : [];
  const notices = [
    ...released.map((page) => noticeOf(page, { at, reason: null })),
    // What is only written to a folder is among the recipients that cannot be reached.
    ...intents
      .filter(reachesSomebody)
      .map((intent) => noticeOf(intent, { at, reason: cancellationReason(intent, incident) })),
    ...entries.flatMap((entry) => skippedIn({ ...entry, at })),
  ];
  return notices.map(plannedNoticeAnswer);
}
