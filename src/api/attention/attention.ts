// GET /attention: what somebody should know or can mend before all else, and how far a new
// installation is set up. The dashboard shows both above its list of incidents.
import Type from 'typebox';
import { clockProblems } from '../../engine/clock-differences.ts';
import { shownFor } from '../../incidents/findings.ts';
import { queryLimits } from '../../limits/queries.ts';
import { shiftStepsOf } from '../../oncall/effort.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import {
  channelsWithoutConnection,
  needsMailServer,
  signInChannel,
} from '../../resources/channels.ts';
import { count, instant, orNull, word } from '../../resources/declaration/answer.ts';
import { choice, flag, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { personName } from '../../resources/person-name.ts';
import { mayAct } from '../../resources/roles.ts';
import { readJumps, readServerClocks } from '../../storage/database/server-clocks.ts';
import { readNotReached } from '../../storage/incidents/paging.ts';
import { readWholeSchedules } from '../../storage/oncall/around.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { listScheduleIds } from '../../storage/oncall/schedules.ts';
import {
  readActivity,
  readCut,
  readFailing,
  readFailingChannels,
  readFailingConnections,
  readFindings,
} from '../../storage/organizations/attention.ts';
import { readQuota } from '../../storage/organizations/quota.ts';
import { listContactsOf } from '../../storage/people/contacts.ts';
import { contactProblems, type ProblemOf } from '../contacts/contact-problems.ts';
import { reachabilityOf } from '../contacts/reachability.ts';
import { scopeOf } from '../incidents/request.ts';
import type { OncallParts } from '../oncall/params.ts';
import type { PeopleParts } from '../people/writing.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { factsOf, factTypes, type Known, type Running, SILENT } from './facts.ts';
import { readGaps } from './gaps.ts';
import { setupOf, setupShape } from './setup.ts';

/** A call that fails now and then is tried again. */
const FAILING = { hours: 1 } as const;
/** For so long it is shown that events were cut. */
const CUT = { hours: 24 } as const;

const named = (what: string, about: string) =>
  optional(
    objectOf({ id: id(`The id of the ${what}.`), name: word(`The name of the ${what}.`) }, about),
  );

const factShape = objectOf(
  {
    type: choice(factTypes, {
      doc: 'For everyone: nobody_reached: some triggered incidents have pages, but none reached anyone. you_unreachable and your_shift concern the signed-in person. For admins: mail: e-mail is not set up. clock: the clock of a server or of the database differs from the others, or the database’s clock jumped within the last 24 hours (`since`). quota: 80 % of the monthly limit is used. For managers: person_unreachable: someone on call cannot be reached. channel_failing: e-mails, browser pushes or chat webhooks are rejected or get no response. connection_failing: the vendor of a channel connection rejects it or fails. Other connections are used if there are any. gap: nobody is on call at some time within 14 days, within the hours of the schedule. webhook_failing: every call has failed for an hour or longer. integration_dropping: events open no incidents. integration_misread: the last events look like those of another type (`likely_type`). integration_omitted_alerts: a message of the last 24 hours omitted alerts of its group because of a limit of the tool, such as `max_alerts` of Alertmanager (`event_id`). It disappears with the next complete message of the group. integration_two_senders: two Alertmanagers send the same alert, and one still reports what the other has ended, as two clusters with equal labels do (`second_integration`). integration_unmatched_end: an event of the last 24 hours was read as the end of a problem but ended nothing, because no alert had its key or several alerts matched (`event_id`). integration_sender_clock: the clock of a Prometheus server that sends alerts itself is wrong by more than a minute. integration_cut: events of the last 24 hours are stored only in part because the day’s storage budget was used up. integration_silent: no event arrived for 7 days, although events arrived in each of the 4 weeks before (as far as Pager still stores them).',
    }),
    reason: optional(word('The reason, as a sentence or part of one.')),
    schedule: named('schedule', 'The on-call schedule that it is about.'),
    user: named('person', 'Who cannot be reached.'),
    webhook: named('outbound webhook', 'The outbound webhook whose calls fail.'),
    connection: named('channel connection', 'The connection that fails.'),
    integration: optional(
      objectOf(
        {
          id: id('The id of the integration.'),
          slug: word('The type of the integration.'),
          name: word('The name of the integration.'),
        },
        'The integration that received the events.',
      ),
    ),
    likely_type: optional(
      objectOf(
        { slug: word('The slug of the type.'), name: word('The name of the type.') },
        'The integration type that such events are usually sent to.',
      ),
    ),
    event_id: optional(id('The id of the event that it is about, in the integration’s log.')),
    second_integration: optional(
      objectOf(
        {
          name: word('The proposed name of the integration.'),
          slug: word('The type of both integrations.'),
          service_id: id('The service of both integrations.'),
          escalation_policy_id: id('The escalation policy of both integrations.'),
        },
        'What to create for one of the two senders.',
      ),
    ),
    channel: optional(
      choice(channelsWithoutConnection, { doc: 'The built-in channel that is failing.' }),
    ),
    since: optional(
      instant(
        'When the webhook, channel or connection began to fail, when the last such event arrived or was truncated, or when the clock jumped.',
      ),
    ),
    start: optional(instant('When the first such gap begins.')),
    end: optional(
      orNull(
        instant('When the gap, or the shift, ends.'),
        'When the gap, or the shift, ends. Null if nobody is on call within ten years.',
      ),
    ),
    more: optional(count('The number of further gaps in the schedule within 14 days.')),
    incidents: optional(count('The number of triggered incidents for which nobody was reached.')),
    incident: optional(count('The newest of these incidents, by its number.')),
    used: optional(count('The number of notices sent this month.')),
    limit: optional(count('The monthly limit on notices.')),
  },
  'Something that needs attention.',
);

const shape = objectOf({
  data: Type.Array(factShape, {
    description: `What needs attention, most important first, at most ${queryLimits.attention}.`,
  }),
  gaps_unknown: flag({
    doc: 'Whether gaps of some schedules are unknown because computing them would take too much work.',
  }),
  setup: setupShape,
});

type AttentionParts = OncallParts & Pick<PeopleParts, 'channels' | 'hasMailServer' | 'publicUrl'>;

export const attentionRoute = (parts: AttentionParts): Route => ({
  method: 'GET',
  path: '/attention',
  tag: 'organization',
  doc: 'Lists what needs the caller’s attention, and how far a new installation is set up. The signed-in person’s shifts and contacts are always included, whatever teams are requested.',
  role: 'viewer',
  query: { team_id: teamsParameter },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const problemOf = await contactProblems(parts, call.caller.organizationId);
    const [{ known, gapsUnknown }, setup] = await Promise.all([
      readKnown(parts, call, problemOf),
      setupOf({ ...parts, problemOf }, call.caller),
    ]);
    return ok({ data: factsOf(known), gaps_unknown: gapsUnknown, setup });
  },
});

async function readKnown(parts: AttentionParts, call: Call, problemOf: ProblemOf) {
  const { sql } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const me = caller.kind === 'key' ? null : caller.id;
  const isManager = mayAct(caller, 'manager');
  const isAdmin = mayAct(caller, 'admin');
  const scope = inTeams(scopeOf(caller), call);
  // Whatever the address.
  const mail = problemOf({ channel: signInChannel, address: '' });
  const isWhole = isManager && caller.teamIds === null;
  const [notReached, shifts, quota, servers, jumps, failing, activity, cut, findings, ...channels] =
    await Promise.all([
      readNotReached(sql, scope),
      readShifts(parts, call, { me, isManager }),
      isAdmin ? readQuota(sql, { organizationId, now }) : null,
      isAdmin ? readServerClocks(sql, now) : [],
      isAdmin ? readJumps(sql, now) : [],
      isManager ? readFailing(sql, scope, now.subtract(FAILING)) : [],
      isManager ? readActivity(sql, scope, now.subtract(SILENT)) : [],
      isManager ? readCut(sql, scope, now.subtract(CUT)) : [],
      isManager ? readFindings(sql, scope, now.subtract(shownFor)) : [],
      isManager ? readFailingChannels(sql, organizationId) : [],
      isWhole ? readFailingConnections(sql, organizationId) : [],
    ]);
  const [failingChannels, failingConnections] = channels;
  const { running, uncovered, gapsUnknown } = shifts;
  const onCall = isManager ? running.map(({ shift }) => shift.user_id) : [];
  const unreachable = await readUnreachable(parts, organizationId, {
    problemOf,
    now,
    userIds: [...onCall, ...(me === null ? [] : [me])],
    // Who is told that no mail leaves is not told it of each person again.
    isMailShown: isAdmin && mail !== null,
  });
  const known: Known = {
    now,
    me,
    notReached,
    running,
    unreachable,
    quota,
    uncovered,
    failing,
    activity,
    failingChannels,
    failingConnections,
    cut,
    findings,
    mail: isAdmin ? mail : null,
    clocks: clockProblems(servers),
    jumps,
  };
  return { known, gapsUnknown };
}

type Reader = { readonly me: string | null; readonly isManager: boolean };

/** The person's own running shifts; for managers all, and the gaps. */
async function readShifts(parts: AttentionParts, call: Call, { me, isManager }: Reader) {
  const { sql } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const listing = { after: 0, limit: queryLimits.attentionSearched };
  const [own, managed] = await Promise.all([
    me === null
      ? []
      : listScheduleIds(sql, { ...listing, scope: caller, naming: me, namingSince: now }),
    isManager
      ? listScheduleIds(sql, { ...listing, scope: inTeams(caller, call), naming: null })
      : [],
  ]);
  const isManaged = new Set(managed.map(({ id }) => id));
  const ids = [...new Set([...own, ...managed].map(({ id }) => id))];
  const known = await readWholeSchedules(sql, { organizationId, ids }, now);
  const schedules = ids.flatMap((id) => {
    const one = known.get(id);
    if (one === undefined) return [];
    const { name, history } = one;
    return [{ named: { id, name }, schedule: scheduleAsOf(history) }];
  });
  const most = shiftStepsOf(schedules.length);
  const running = schedules.flatMap(({ named, schedule }): Running[] => {
    const shift = shiftAt(schedule, now, most);
    return shift && (shift.user_id === me || isManaged.has(named.id))
      ? [{ schedule: named, shift }]
      : [];
  });
  const covering = schedules.filter(({ named }) => isManaged.has(named.id));
  return { running, ...(await readGaps(parts, call, covering)) };
}

type ReachQuery = {
  readonly userIds: readonly string[];
  readonly isMailShown: boolean;
  readonly problemOf: ProblemOf;
  readonly now: Temporal.Instant;
};

async function readUnreachable(
  parts: AttentionParts,
  organizationId: string,
  { userIds, isMailShown, problemOf, now }: ReachQuery,
): Promise<Known['unreachable']> {
  const { sql } = parts;
  const ofOthers: ProblemOf = (contact) =>
    needsMailServer(contact.channel) ? null : problemOf(contact);
  const [people, contacts] = await Promise.all([
    readPeople(sql, organizationId, userIds),
    listContactsOf(sql, { organizationId, userIds }),
  ]);
  const unreachable = [...people.values()].flatMap((person) => {
    const own = contacts.filter(({ user_id }) => user_id === person.id);
    const { reachable, reason = '' } = reachabilityOf(person, own, {
      problemOf: isMailShown ? ofOthers : problemOf,
      now,
    });
    return reachable ? [] : [[person.id, { name: personName(person), reason }] as const];
  });
  return new Map(unreachable);
}
