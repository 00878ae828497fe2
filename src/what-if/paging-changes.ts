// Whose events page somebody else, or nobody, after a change: in sentences, alike ones together.
import { type Configuration, NotConfigured, type Team } from '../incidents/configuration.ts';
import { queryLimits } from '../limits/queries.ts';
import { always, areAlwaysMet } from '../rules/groups.ts';
import { keyOf, type Paged, pagedBy, type Recipient } from './paging.ts';
import type { Encounter, EventsOf, PagingSides } from './paging-sides.ts';
import { changeText, eventsText, policyChangeText } from './paging-words.ts';

export type PageChange = {
  /** The integrations whose events they are. */
  readonly integrations: readonly EventsOf['integration'][];
  /** The events of which it is said. */
  readonly about: readonly EventsOf[];
  /** At first, and if nobody acknowledges, later. */
  readonly before: Pick<Paged, 'first' | 'later'>;
  readonly after: Pick<Paged, 'first' | 'later'>;
  /** What follows the events in the sentence. */
  readonly text: string;
  /** Sentences that follow it. */
  readonly notes: readonly string[];
  readonly code: 'pages_move' | 'pages_stop';
};

/** Alike ones of several integrations are one. */
export function pageChanges(sides: PagingSides | null): readonly PageChange[] {
  if (sides === null) return [];
  const groups = Map.groupBy(compare(sides), ({ before, after, text, events }) => {
    const lists = [before, after].map(({ first, later }) => [first, later]);
    return JSON.stringify([events.events, events.mayDiffer, text, lists]);
  });
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { text, before, after, events } = first;
    const notes = [
      ...(after.isDropped && !before.isDropped ? ['They do not end open incidents either.'] : []),
      ...(events.mayDiffer && !after.isDropped
        ? ['Other rules and playbooks may change this.']
        : []),
    ];
    const isStop = after.first.length === 0 && before.first.length > 0;
    return [
      {
        integrations: alike.map((one) => one.events.integration),
        about: alike.map((one) => one.events),
        before: partOf(before),
        after: partOf(after),
        text,
        notes,
        code: isStop ? 'pages_stop' : 'pages_move',
      },
    ];
  });
}

const partOf = ({ first, later }: Paged) => ({ first, later });

type Sentence = Pick<PageChange, 'about' | 'text' | 'notes'>;

export const messageOf = ({ about, text, notes }: Sentence): string => {
  const names = about.map(({ integration }) => integration.name);
  return [`${eventsText(names, about[0]?.events ?? '')} ${text}.`, ...notes].join(' ');
};

/** What reads alike is reported once. */
export function pageMessages(
  changes: readonly PageChange[],
): readonly (Pick<PageChange, 'code'> & { readonly message: string })[] {
  const alike = Map.groupBy(changes, ({ about, text }) => JSON.stringify([about[0]?.events, text]));
  return [...alike.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const about = all.flatMap((one) => one.about);
    const notes = [...new Set(all.flatMap((one) => one.notes))];
    return [{ code: first.code, message: messageOf({ about, text: first.text, notes }) }];
  });
}

type Compared = {
  readonly events: EventsOf;
  readonly before: Paged;
  readonly after: Paged;
  readonly text: string;
};

function compare({ events, now, unclear, ...sides }: PagingSides): readonly Compared[] {
  let left: number = queryLimits.previewTargets;
  const paged = { before: pagedOnce(sides.before), after: pagedOnce(sides.after) };
  const compareOne = (one: EventsOf): readonly Compared[] => {
    if (left <= 0 || unclear.has(one.integration.id)) return [];
    const [before, after] = (['before', 'after'] as const).map((side) => {
      const met = paged[side](one.integration.id, one[side], now);
      if (!met.isKnown) left -= targetsOf(met.paged);
      return met.paged;
    });
    if (!before || !after || [before, after].some((each) => isUnclear(each, unclear))) return [];
    const text = textOf(before, after, one.isTimed);
    if (text === null) return (one.among ?? []).flatMap(compareOne);
    return [{ events: one, before, after, text }];
  };
  return events.flatMap(compareOne);
}

const targetsOf = (paged: Paged | null): number =>
  1 + (paged?.incident?.steps.reduce((sum, { targets }) => sum + targets.length, 0) ?? 0);

/** Null: not all that decides it can be read. */
type PagedOnce = (
  integrationId: string,
  met: Encounter,
  now: Temporal.Instant,
) => { readonly paged: Paged | null; readonly isKnown: boolean };

/** Integrations alike page alike: each kind of them is computed once. */
function pagedOnce(configuration: Configuration): PagedOnce {
  const known = new Map<string, Paged | null>();
  const configurations = new Map<string, Configuration>();
  const runningOnly = (ids: readonly string[]) => {
    const of = ids.join();
    const made = configurations.get(of) ?? withRunning(configuration, ids);
    configurations.set(of, made);
    return made;
  };
  return (integrationId, { rules, playbookIds }, now) => {
    const one = configuration.integrations.get(integrationId);
    const team = configuration.teams.get(one?.team_id ?? '');
    const mayMove = rules.length > 0 || (team?.playbooks.length ?? 0) > 0;
    const key = JSON.stringify([
      ...[one?.escalation_policy_id, one?.enabled, one?.archived, one?.ackTimeoutMinutes],
      configuration.services.get(one?.service_id ?? '')?.archived,
      ...[one?.team_id, playbookIds, rules.map(({ id }) => id)],
      mayMove ? integrationId : null,
    ]);
    const cached = known.get(key);
    if (cached !== undefined) return { paged: cached, isKnown: true };
    const paged = orNull(() => pagedBy({ integrationId, rules, now }, runningOnly(playbookIds)));
    known.set(key, paged);
    return { paged, isKnown: false };
  };
}

function orNull(compute: () => Paged): Paged | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof NotConfigured) return null;
    throw error;
  }
}

/** With those playbooks alone running by themselves whose conditions are known to hold. */
function withRunning(configuration: Configuration, ids: readonly string[]): Configuration {
  const running = (team: Team): Team => ({
    ...team,
    playbooks: team.playbooks.map(({ condition_groups = always, ...one }) => {
      const isMet = ids.includes(one.id) || areAlwaysMet(condition_groups);
      return isMet ? one : { ...one, run_automatically: [] };
    }),
  });
  const teams = new Map([...configuration.teams].map(([id, team]) => [id, running(team)]));
  return { ...configuration, teams };
}

/** Whether it leads to a record of which not all is known. */
function isUnclear({ incident }: Paged, unclear: ReadonlySet<string>): boolean {
  if (incident === null || unclear.size === 0) return false;
  const { integration_id, escalation_policy_id, steps } = incident;
  const ids = steps.flatMap(({ targets }) =>
    targets.map(({ oncall_schedule_id }) => oncall_schedule_id),
  );
  return [integration_id, escalation_policy_id, ...ids].some((id) => id && unclear.has(id));
}

/** Null: nothing changes for anybody. */
function textOf(before: Paged, after: Paged, isTimed: boolean): string | null {
  const isSame = (part: 'first' | 'later') => keysOf(before[part]) === keysOf(after[part]);
  if (!isSame('first') || !isSame('later')) return changeText(before, after, isTimed);
  const [was, is] = [before, after].map(({ incident }) => incident);
  if (!was || !is || targetsText(was) === targetsText(is)) return null;
  if (was.escalation_policy_id === is.escalation_policy_id) return null;
  return policyChangeText(was.escalation.policyName, is.escalation.policyName);
}

const keysOf = (recipients: readonly Recipient[]): string =>
  JSON.stringify(recipients.map(keyOf).sort());

const targetsText = ({ steps, status }: NonNullable<Paged['incident']>): string =>
  JSON.stringify([
    status,
    steps.map(({ targets }) =>
      targets.map(({ user_id, oncall_schedule_id, channel_id, webhook_url, channel_name }) => [
        ...[user_id, oncall_schedule_id, channel_id],
        webhook_url === undefined ? null : (channel_name ?? 'chat'),
      ]),
    ),
  ]);
