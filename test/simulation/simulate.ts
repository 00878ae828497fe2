import type { Action } from '../../src/engine/actions.ts';
import { messageOf } from '../../src/engine/log.ts';
import { forGood, type Incident, isOpen } from '../../src/incidents/incident.ts';
import type { DeclaredLayer } from '../../src/oncall/revisions/content.ts';
import { deactivated, overridden, reactivated, saved, withdrawn } from '../schedule-history.ts';
import { corruptRows, isCorrupt, type Row } from './failing-rows.ts';
import { sentByOne } from './late-source.ts';
import type { PostgresMirror } from './postgres-mirror.ts';
import { idOf, numbersOf, someone } from './setting.ts';
import { World } from './world.ts';

const minute = 60_000;
const stepsOfStory = 60;
const jumpsWith = 0.02;
const keys = ['disk', 'cpu'];
const integrations = ['integration0', 'integration1', 'integration2', 'other0', 'other1'];

/** A world gone wrong: which seed, and all that happened. */
export class Broken extends Error {
  constructor(seed: number, story: readonly string[], cause: unknown) {
    const reason = messageOf(cause);
    super(`seed ${seed}: ${reason}\n${story.join('\n')}`, { cause });
  }
}

/** Lives through one seed's story and answers it; throws when anything in it must not be. */
export async function simulate(
  seed: number,
  mirror: PostgresMirror | null = null,
): Promise<readonly string[]> {
  const world = await World.begin(seed, mirror);
  try {
    for (let step = 0; step < stepsOfStory; step += 1) {
      if (world.luck.chance(jumpsWith)) await clockJumps(world);
      await happens(world, world.luck.chance(0.2) ? 2 + world.luck.below(3) : 1);
      world.check();
    }
    await world.settle();
  } catch (error) {
    throw new Broken(seed, world.story, error);
  }
  return world.story;
}

type Happening = {
  readonly weight: number;
  readonly happens: (world: World) => Promise<void> | void;
};

const happenings: readonly Happening[] = [
  { weight: 20, happens: alerts },
  { weight: 12, happens: pair },
  { weight: 4, happens: async (world) => void (await world.logsRefusals(world.server())) },
  { weight: 18, happens: (world) => void world.pass(world.luck.below(10 * minute)) },
  { weight: 18, happens: async (world) => void (await world.runTimers(world.server())) },
  { weight: 18, happens: async (world) => void (await world.sends(world.server())) },
  { weight: 8, happens: async (world) => void (await world.decides(world.server())) },
  { weight: 14, happens: async (world) => void (await world.advanceShifts(world.server())) },
  { weight: 6, happens: schedulesChange },
  { weight: 14, happens: people },
  { weight: 4, happens: opensByHand },
  { weight: 8, happens: (world) => void world.outside.answer() },
  { weight: 10, happens: (world) => world.reports() },
  { weight: 2, happens: (world) => world.kill(world.server()) },
  { weight: 2, happens: engineIsAway },
  { weight: 3, happens: recipientDiesOrReturns },
  { weight: 2, happens: switchUplink },
  { weight: 2, happens: storm },
  { weight: 2, happens: configurationChanges },
  { weight: 3, happens: numbersChange },
  { weight: 4, happens: rowFails },
  { weight: 3, happens: rowIsMended },
];
const weights = happenings.reduce((sum, one) => sum + one.weight, 0);

/** So many things at once, on whichever servers. */
async function happens(world: World, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => drawn(world).happens(world)));
  await world.ledger.idle();
}

function drawn({ luck }: World): Happening {
  let left = luck.below(weights);
  const happening = happenings.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  if (!happening) throw new Error('the weights do not add up');
  return happening;
}

async function alerts(world: World): Promise<void> {
  const { luck } = world;
  const one = () => ({
    integration: luck.of(integrations),
    body: {
      ...anyMessage(luck),
      // By the tool's clock, of what comes late or as a copy.
      ...(luck.chance(0.6) && {
        sourceTime: `${world.clock.now().subtract({ minutes: luck.below(30) })}`,
      }),
    },
  });
  const first = one();
  const bodies = Array.from({ length: 1 + luck.below(4) }, () =>
    luck.chance(0.3) ? first : one(),
  );
  // More than the queue takes, now and then.
  await world.alerts(luck.chance(0.1) ? [...bodies, ...bodies, ...bodies, ...bodies] : bodies);
}

/** Some with a key that a template did not fill in; of their ends nothing else is known. */
function anyMessage(luck: World['luck']) {
  const status = luck.chance(0.7) ? 'trigger' : luck.of(['resolve', 'acknowledge']);
  const isRaw = luck.chance(0.15);
  const isNamed = !isRaw || status === 'trigger';
  return {
    status,
    ...(isRaw && { dedup_key: 'undefined' }),
    ...(luck.chance(0.4) && { severity: luck.of(['critical', 'warning', 'info']) }),
    ...(isNamed && { title: luck.of(keys) }),
  };
}

/** Prometheus that send by themselves. */
async function pair(world: World): Promise<void> {
  const { luck, clock } = world;
  const integration = luck.of(['integration0', 'other0']);
  const sent = () => ({ integration, body: sentByOne(luck, clock.now(), luck.of(keys)) });
  await world.alerts(Array.from({ length: 1 + luck.below(3) }, sent));
}

/** One key over and over. */
async function storm(world: World): Promise<void> {
  const body = { title: world.luck.of(keys) };
  const integration = world.luck.of(integrations);
  for (let times = 0; times < 5; times += 1)
    await world.alerts(Array.from({ length: 6 }, () => ({ integration, body })));
}

async function people(world: World): Promise<void> {
  const incidents = [...world.ledger.incidents.values()];
  if (incidents.length === 0) return;
  const muted = incidents.filter((one) => isOpen(one) && one.muted_until !== null);
  // Often, so that mutes end before their time while they hold a page.
  if (muted.length > 0 && world.luck.chance(0.4))
    return world.acts(world.luck.of(muted).id, { type: 'unmute', by: someone });
  const incident = world.luck.of(incidents);
  await world.acts(incident.id, actionOf(world, incident));
}

/** Somebody saw what no alert told, and names a policy or leaves it to the service. */
async function opensByHand(world: World): Promise<void> {
  const { luck, ledger } = world;
  const organizationId = luck.of([idOf('org'), idOf('org'), idOf('other')]);
  const { services, policies, teams } = ledger.configurationOf(organizationId);
  const [team] = teams.values();
  await world.opensByHand(organizationId, {
    by: someone,
    team_id: team?.id ?? '',
    title: luck.of(keys),
    details: null,
    service_id: luck.of([...services.values()]).id,
    escalation_policy_id: luck.chance(0.7) ? luck.of([...policies.values()]).id : null,
    priority: luck.chance(0.3) ? 'p1' : null,
    severity: null,
  });
}

function actionOf(world: World, { organization_id }: Incident): Action {
  const { luck, clock, ledger } = world;
  const type = luck.of([
    ...(['acknowledge', 'acknowledge', 'unacknowledge', 'escalate', 'escalate'] as const),
    ...(['resolve', 'reopen', 'mute', 'unmute', 'merge', 'add_responder'] as const),
  ]);
  const by = someone;
  switch (type) {
    case 'mute': {
      const until = clock.now().add({ minutes: 1 + luck.below(90) });
      return { type, by, until: luck.chance(0.2) ? forGood : until };
    }
    case 'merge':
      return { type, by, intoId: luck.of([...ledger.incidents.values()]).id };
    case 'add_responder': {
      const { people } = ledger.configurationOf(organization_id);
      const { id, name } = luck.of([...people.values()]);
      return { type, by, user: { id, name } };
    }
    default:
      return { type, by };
  }
}

async function schedulesChange(world: World): Promise<void> {
  const { luck, clock } = world;
  const kind = luck.of([
    ...(['override', 'override', 'override', 'withdraw', 'save', 'archive'] as const),
    ...(['cover', 'take off', 'leave', 'leave', 'return', 'return'] as const),
  ]);
  const name = luck.of(['ada', 'lin', 'eve', 'boss']);
  const user_id = idOf(name);
  const replaces_user_id = idOf(luck.of(['ada', 'lin', 'eve'].filter((other) => other !== name)));
  // Drawn once: the same edit is made on both ledgers.
  const share = luck.next();
  const start = clock.now().add({ milliseconds: luck.below(30 * minute) - 5 * minute });
  const end = start.add({ milliseconds: 1 + luck.below(60 * minute) });
  const layer = anyLayer(world, [idOf('ada'), user_id]);
  await world.edits(`${kind} ${name}`, (history, edit, idAt) => {
    switch (kind) {
      case 'save':
        return saved(history, edit, { layers: [layer] });
      case 'archive':
        return saved(history, edit, { archived: !history.revisions.at(-1)?.archived });
      case 'withdraw':
        return withdrawn(history, edit, idAt(Math.floor(share * edit.edit)));
      case 'leave':
        return deactivated(history, edit, user_id);
      case 'return':
        return reactivated(history, edit, user_id);
      case 'cover':
        return overridden(history, edit, {
          id: idAt(edit.edit),
          user_id,
          replaces_user_id,
          start,
          end,
        });
      case 'take off':
        return overridden(history, edit, {
          id: idAt(edit.edit),
          user_id: null,
          replaces_user_id,
          start,
          end,
        });
      default: {
        return overridden(history, edit, { id: idAt(edit.edit), user_id, start, end });
      }
    }
  });
}

const workingHours = {
  type: 'weekly',
  windows: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
    from_day: day,
    from_time: '08:00',
    to_day: day,
    to_time: '18:00',
  })),
} as const;

/** Turns of a few days, which may be counted from a date, and on working days only. */
function anyLayer({ luck, clock }: World, users: readonly string[]): DeclaredLayer {
  const date = clock
    .now()
    .subtract({ hours: luck.below(20 * 24) })
    .toString()
    .slice(0, 10);
  return {
    users,
    rotation: {
      unit: 'days',
      length: 1 + luck.below(2),
      ...(luck.chance(0.5) && { handoff: luck.of(['09:00', '12:00']) }),
      ...(luck.chance(0.3) && { since: date }),
      ...(luck.chance(0.3) && { counts: 'open' }),
    },
    ...(luck.chance(0.5) && { restriction: workingHours }),
  };
}

function engineIsAway(world: World): void {
  world.stops(world.luck.below(180 * minute));
  world.addLine('the engine was away');
}

/** Back, or forward: by more than what is taken for a slow answer. */
async function clockJumps(world: World): Promise<void> {
  const ms = 6_000 + world.luck.below(60 * minute);
  await world.jumps(world.luck.chance(0.5) ? -ms : ms);
  await world.ledger.idle();
}

function recipientDiesOrReturns(world: World): void {
  const { dead } = world.outside;
  const address = `${world.luck.of(['ada', 'lin', 'eve', 'boss'])}@example.test`;
  if (!dead.delete(address)) dead.add(address);
  world.addLine(`${address} is ${dead.has(address) ? 'dead' : 'back'}`);
}

function switchUplink(world: World): void {
  world.outside.isAway = !world.outside.isAway;
  world.addLine(world.outside.isAway ? 'the uplink is away' : 'the uplink is back');
}

/** Of notices only such as wait for their first try: later ones were read. */
async function rowFails(world: World): Promise<void> {
  const { luck, ledger } = world;
  const incidents = [...ledger.incidents.values()].filter(isOpen);
  const waiting = [...ledger.outbox.values()].filter(
    ({ state, attempts }) => state === 'pending' && attempts === 0,
  );
  const rows: readonly Row[] = [
    ...incidents.map(({ id }): Row => ({ of: 'incident', id })),
    ...waiting.map(({ intent }): Row => ({ of: 'notice', id: intent.key })),
    ...[...ledger.shiftCursors.keys()].map((id): Row => ({ of: 'shift_cursor', id })),
  ].filter((row) => !isCorrupt(ledger, row));
  const of = luck.of(['incident', 'notice', 'shift_cursor']);
  const own = rows.filter((row) => row.of === of);
  if (own.length > 0) await world.corrupts(luck.of(own));
}

async function rowIsMended(world: World): Promise<void> {
  const rows = corruptRows(world.ledger);
  if (rows.length > 0) await world.mends(world.luck.of(rows));
}

async function configurationChanges(world: World): Promise<void> {
  const { luck, ledger } = world;
  const organizationId = luck.of([idOf('org'), idOf('org'), idOf('other')]);
  const { integrations, people } = ledger.configurationOf(organizationId);
  const { id: integrationId } = luck.of([...integrations.values()]);
  const { id: userId } = luck.of([...people.values()]);
  await world.switches({ organizationId, integrationId, userId });
}

async function numbersChange(world: World): Promise<void> {
  const { luck } = world;
  const name = luck.of(['ada', 'lin'] as const);
  const some = numbersOf[name].filter(() => luck.chance(0.7));
  const numbers = luck.chance(0.5) ? some : some.toReversed();
  await world.renumbers({ userId: idOf(name), numbers });
}
