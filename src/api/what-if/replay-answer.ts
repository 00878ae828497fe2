// The answer of a replay.
import { shownRecipient } from '../../incidents/recipient.ts';
import { queryLimits } from '../../limits/queries.ts';
import { timeText } from '../../storage/records/rows.ts';
import type {
  Compared,
  DifferenceGroup,
  IncidentOutcome,
  IncidentPage,
} from '../../what-if/differences.ts';
import type { ReplayResult } from '../../what-if/replay.ts';

type Replay = {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  /** The oldest events were left out. */
  readonly isCut: boolean;
  /** Pages of other teams' incidents are only counted; null: the caller sees all teams. */
  readonly teamIds: readonly string[] | null;
};

export function replayAnswer(result: ReplayResult, { from, to, isCut, teamIds }: Replay) {
  const { eventsRead: read, unreadable, cut, incidents, pages, stoppedAt } = result;
  const isOwn = (teamId: string) => teamIds?.includes(teamId) ?? true;
  return {
    from: timeText(from),
    to: timeText(stoppedAt ?? to),
    events: { read, unreadable },
    incidents: comparedAnswer(incidents, (outcome) =>
      outcomeAnswer(outcome, isOwn(outcome.incident.team_id)),
    ),
    pages: comparedAnswer(pagesOfOwn(pages, isOwn), pageAnswer),
    alerts_joined: result.joined,
    quiet_though_worse: result.quietThoughWorse,
    warnings: [
      'Actions of people are left out on both sides: until now, nobody acknowledges or resolves.',
      ...(isCut ? [`Only the last ${read} events were read because there are too many.`] : []),
      ...(cut > 0 ? [`${cut} events are stored only in part. Only the stored part was read.`] : []),
      ...(stoppedAt
        ? [
            `The replay ended early because more than ${queryLimits.replayNotices} notices were sent.`,
          ]
        : []),
    ],
  };
}

/** Pages of other teams' incidents are counted, but are no examples. */
function pagesOfOwn(
  pages: Compared<IncidentPage>,
  isOwn: (teamId: string) => boolean,
): Compared<IncidentPage> {
  const own = ({ count, examples }: DifferenceGroup<IncidentPage>) => ({
    count,
    examples: examples.filter(({ saved, proposed }) =>
      [saved, proposed].every((page) => page === null || isOwn(page.incident.team_id)),
    ),
  });
  const { added, removed, changed } = pages;
  return { ...pages, added: own(added), removed: own(removed), changed: own(changed) };
}

function comparedAnswer<Of>(
  { saved, proposed, added, removed, changed }: Compared<Of>,
  answerOf: (one: Of) => object,
) {
  const some = ({ count, examples }: DifferenceGroup<Of>) => ({
    count,
    examples: examples.map((one) => ({
      event_id: one.event.id,
      at: timeText(one.event.at),
      title: one.title,
      rules: one.rules,
      saved: one.saved && answerOf(one.saved),
      proposed: one.proposed && answerOf(one.proposed),
    })),
  });
  return { saved, proposed, added: some(added), removed: some(removed), changed: some(changed) };
}

const outcomeAnswer = ({ incident, status }: IncidentOutcome, isOwn: boolean) => ({
  title: incident.title,
  status,
  priority: incident.priority,
  severity: incident.severity,
  team_id: incident.team_id,
  integration_id: incident.integration_id,
  escalation_policy: isOwn
    ? { id: incident.escalation_policy_id, name: incident.escalation.policyName }
    : null,
});

const pageAnswer = ({ intent, at }: IncidentPage) => ({
  at: timeText(at),
  channel: intent.channel,
  to: shownRecipient(intent),
  user_id: intent.user_id,
});
