// GET /attention: what somebody should know or can mend before all else, and how far a new
// installation is set up. The dashboard shows both above its list of incidents.
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { shiftAt } from '../../oncall/shifts.ts';
import { count, instant, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { personName } from '../../resources/person-name.ts';
import { mayAct } from '../../resources/roles.ts';
import { readActivity, readFailing } from '../../storage/attention.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { listScheduleIds, readSchedules } from '../../storage/oncall/schedules.ts';
import { listContactsOf } from '../../storage/people/contacts.ts';
import { readQuota } from '../../storage/quota.ts';
import { taskRequester } from '../computing/requester.ts';
import { usersOf } from '../coverage/coverage.ts';
import { scopeOf } from '../incidents/incident-in-path.ts';
import { changesIn, isCheap } from '../oncall/effort.ts';
import type { OncallParts } from '../oncall/oncall-parts.ts';
import { timelines } from '../oncall/timeline-task.ts';
import { reasonAgainst } from '../people/channels.ts';
import { reachabilityOf } from '../people/reachability.ts';
import type { PeopleParts } from '../people/writing.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { factsOf, factTypes, type Known, type Running, type Uncovered } from './facts.ts';
import { setupOf, setupShape } from './setup.ts';

const AHEAD = { hours: 14 * 24 } as const;
/** A call that fails now and then is tried again. */
const FAILING = { hours: 1 } as const;

const named = (what: string, about: string) =>
  optional(
    objectOf({ id: id(`The id of the ${what}.`), name: word(`The name of the ${what}.`) }, about),
  );

const factShape = objectOf(
  {
    type: choice(factTypes, {
      doc: 'you_unreachable, your_shift: of the signed-in person. mail: no mail leaves the server, and quota: 80 % of the monthly limit are used, for admins. person_unreachable: somebody on call cannot be reached, gap: nobody is on call within 14 days, webhook_failing: every call failed for an hour or longer, integration_dropping: events come to nothing, integration_silent: none came for 7 days; for managers.',
    }),
    reason: optional(word('Why, as a sentence or a part of one.')),
    schedule: named('schedule', 'The on-call schedule that it is about.'),
    user: named('person', 'Who cannot be reached.'),
    webhook: named('outbound webhook', 'Whose calls fail.'),
    integration: optional(
      objectOf(
        {
          id: id('The id of the integration.'),
          slug: word('The type of the integration.'),
          name: word('The name of the integration.'),
        },
        'The integration whose events are meant.',
      ),
    ),
    since: optional(instant('Since when a webhook fails; when the last event came.')),
    start: optional(instant('When the first gap begins.')),
    end: optional(instant('When the gap, or the shift, ends.')),
    more: optional(count('How many further gaps the schedule has within 14 days.')),
    used: optional(count('How many notices of the month were sent.')),
    limit: optional(count('The monthly limit on notices.')),
  },
  'A fact that somebody should know, or can mend.',
);

const shape = objectOf({
  data: Type.Array(factShape, {
    description: `What needs attention, what matters most first; at most ${queryLimits.attention}.`,
  }),
  setup: setupShape,
});

type AttentionParts = OncallParts & Pick<PeopleParts, 'channels' | 'hasMailServer'>;

export const attentionRoute = (parts: AttentionParts): Route => ({
  method: 'GET',
  path: '/attention',
  tag: 'organization',
  doc: 'Tells what the caller should know or can mend before all else, and how far a new installation is set up. Shifts and contacts of the signed-in person are told whatever teams are asked for.',
  role: 'viewer',
  query: { team_id: teamsParameter },
  answers: { status: 200, schema: shape },
  async handle(call) {
    const [known, setup] = await Promise.all([
      readKnown(parts, call),
      setupOf(parts.sql, call.caller),
    ]);
    return ok({ data: factsOf(known), setup });
  },
});

async function readKnown(parts: AttentionParts, call: Call): Promise<Known> {
  const { sql } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const me = caller.kind === 'key' ? null : caller.id;
  const isManager = mayAct(caller, 'manager');
  const isAdmin = mayAct(caller, 'admin');
  const scope = inTeams(scopeOf(caller), call);
  const mail = reasonAgainst('email', parts);
  const [{ running, uncovered }, quota, failing, activity] = await Promise.all([
    readShifts(parts, call, { me, isManager }),
    isAdmin ? readQuota(sql, { organizationId, now }) : null,
    isManager ? readFailing(sql, scope, now.subtract(FAILING)) : [],
    isManager ? readActivity(sql, scope) : [],
  ]);
  const onCall = isManager ? running.map(({ shift }) => shift.user_id) : [];
  const unreachable = await readUnreachable(parts, organizationId, {
    userIds: [...onCall, ...(me === null ? [] : [me])],
    // Who is told that no mail leaves is not told it of each person again.
    isMailTold: isAdmin && mail !== null,
  });
  return {
    ...{ now, me, running, unreachable, quota, uncovered, failing, activity },
    mail: isAdmin ? mail : null,
  };
}

type Reader = { readonly me: string | null; readonly isManager: boolean };

/** The person's own running shifts; for managers all, and the gaps. */
async function readShifts(parts: AttentionParts, call: Call, { me, isManager }: Reader) {
  const { sql } = parts;
  const { caller, now } = call;
  const { organizationId } = caller;
  const listing = { after: 0, limit: queryLimits.attentionSearched };
  const [own, managed] = await Promise.all([
    me === null ? [] : listScheduleIds(sql, { ...listing, scope: caller, naming: me }),
    isManager
      ? listScheduleIds(sql, { ...listing, scope: inTeams(caller, call), naming: null })
      : [],
  ]);
  const isManaged = new Set(managed.map(({ id }) => id));
  const ids = [...new Set([...own, ...managed].map(({ id }) => id))];
  const known = await readSchedules(sql, { organizationId, ids, since: now });
  const schedules = ids.flatMap((id) => {
    const one = known.get(id);
    if (one === undefined) return [];
    const { name, history } = one;
    return [{ named: { id, name }, schedule: scheduleAsOf(history) }];
  });
  const running = schedules.flatMap(({ named, schedule }): Running[] => {
    const shift = shiftAt(schedule, now);
    return shift && (shift.user_id === me || isManaged.has(named.id))
      ? [{ schedule: named, shift }]
      : [];
  });
  const covering = schedules.filter(({ named }) => isManaged.has(named.id));
  return { running, uncovered: await readGaps(parts, call, covering) };
}

type Covering = { readonly schedule: Schedule; readonly named: Running['schedule'] };

/** Of as many schedules as one response may compute. */
async function readGaps(
  { sql, compute }: AttentionParts,
  call: Call,
  covering: readonly Covering[],
): Promise<readonly Uncovered[]> {
  const { now, caller } = call;
  const interval = { from: now, to: now.add(AHEAD) };
  const affordable = withinEffort(covering, interval);
  const schedules = affordable.map(({ schedule }) => schedule);
  const people = await readPeople(sql, caller.organizationId, schedules.flatMap(usersOf));
  const input = { schedules, interval, now, people };
  const computed = isCheap(schedules, interval)
    ? timelines(input)
    : await compute(taskRequester(call), 'scheduleTimelines', input);
  return affordable.flatMap(({ named }, index) => {
    const { gaps: [gap] = [], gap_count = 0 } = computed[index] ?? {};
    if (gap === undefined) return [];
    return [{ schedule: named, start: gap.start, end: gap.end, more: gap_count - 1 }];
  });
}

function withinEffort(covering: readonly Covering[], interval: Interval): readonly Covering[] {
  let left: number = queryLimits.timelineChanges;
  return covering.filter(({ schedule }) => {
    const changes = changesIn(schedule, interval) + schedule.overrides.length;
    if (changes > left) return false;
    left -= changes;
    return true;
  });
}

async function readUnreachable(
  parts: AttentionParts,
  organizationId: string,
  { userIds, isMailTold }: { readonly userIds: readonly string[]; readonly isMailTold: boolean },
): Promise<Known['unreachable']> {
  const { sql } = parts;
  const against = (channel: string) => reasonAgainst(channel, parts);
  const againstOthers = (channel: string) => (channel === 'email' ? null : against(channel));
  const [people, contacts] = await Promise.all([
    readPeople(sql, organizationId, userIds),
    listContactsOf(sql, { organizationId, userIds }),
  ]);
  const unreachable = [...people.values()].flatMap((person) => {
    const own = contacts.filter(({ user_id }) => user_id === person.id);
    const { reachable, reason = '' } = reachabilityOf(
      person,
      own,
      isMailTold ? againstOthers : against,
    );
    return reachable ? [] : [[person.id, { name: personName(person), reason }] as const];
  });
  return new Map(unreachable);
}
