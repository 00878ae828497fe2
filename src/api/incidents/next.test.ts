// What is foreseen is what happens: read by the API, then done by the engine on PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import '../../../test/seed.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import type { Step } from '../../resources/escalation-policy.ts';

const worlds = 30;
/** More than four, so that all of it is after 09:04. */
const minutes = fc.integer({ min: 5, max: 40 });
const anyWorld = fc.record({
  steps: fc.array(
    fc.record({
      targets: fc.array(
        fc.record({
          who: fc.constantFrom('ada', 'lin', 'stranger', 'rota', 'nobody on call'),
          via: fc.constantFrom('email', 'email', 'sms'),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      wait: minutes,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  delayMinutes: fc.constantFrom(0, 0, 7),
  repeats: fc.boolean(),
  ackTimeoutMinutes: fc.option(minutes, { nil: undefined }),
  autoResolveHours: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  quietMinutes: fc.option(fc.integer({ min: 20, max: 200 }), { nil: undefined }),
  /** Until when its source reports it. */
  endsAt: fc.option(fc.constantFrom('09:31', '11:17'), { nil: undefined }),
  deed: fc.constantFrom('nothing', 'acknowledge', 'escalate', 'mute', 'mute for good', 'resolve'),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

const twoSteps: World['steps'] = (['ada', 'lin'] as const).map((who) => ({
  targets: [{ who, via: 'email' }],
  wait: 10,
}));
const plain = {
  steps: twoSteps,
  delayMinutes: 0 as const,
  repeats: false,
  endsAt: undefined,
  quietMinutes: undefined,
};
/** One for each timer, and for each end. */
const knownWorlds: readonly World[] = [
  { ...plain, ackTimeoutMinutes: undefined, autoResolveHours: undefined, deed: 'nothing' },
  { ...plain, ackTimeoutMinutes: 15, autoResolveHours: 2, deed: 'acknowledge' },
  { ...plain, ackTimeoutMinutes: undefined, autoResolveHours: undefined, deed: 'mute' },
  {
    ...plain,
    endsAt: '09:31',
    deed: 'nothing',
    ackTimeoutMinutes: undefined,
    autoResolveHours: undefined,
  },
  {
    ...plain,
    quietMinutes: 45,
    deed: 'acknowledge',
    ackTimeoutMinutes: undefined,
    autoResolveHours: undefined,
  },
  {
    ...plain,
    steps: [...twoSteps, ...twoSteps],
    repeats: true,
    deed: 'nothing',
    ackTimeoutMinutes: undefined,
    autoResolveHours: undefined,
  },
];

type Upcoming = {
  readonly at: string;
  readonly type: string;
  readonly text: string;
  readonly notices: readonly {
    readonly kind: string;
    readonly channel: string;
    readonly person?: string;
    readonly webhook?: string;
    readonly deliverable: boolean;
  }[];
};

const deeds: Readonly<Record<string, { type: string; until?: Temporal.Instant | null }>> = {
  acknowledge: { type: 'acknowledge' },
  escalate: { type: 'escalate' },
  mute: { type: 'mute', until: Temporal.Instant.from('2026-03-02T09:20:00Z') },
  'mute for good': { type: 'mute', until: null },
  resolve: { type: 'resolve' },
};

test('what is foreseen is what happens when nobody acts, to the second', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const numbers = await seedWorlds(pager);
    const viewer = callerOf(pager, { role: 'viewer' });
    await pager.at('09:04');
    const foreseen = await Promise.all(
      numbers.map(async (number) => {
        const { status, body } = await api.send(viewer, `GET /incidents/${number}/next`);
        assert.equal(status, 200, JSON.stringify(body));
        return body as { data: readonly Upcoming[]; end: string };
      }),
    );
    const { body: list } = await api.send(viewer, 'GET /incidents?include=next&limit=200');
    for (const [index, { data }] of foreseen.entries())
      assert.deepEqual(list.next[await pager.idOf(numbers[index] ?? 0)], data[0]);
    await pager.at('23:59');
    assert.deepEqual(pager.failed, []);
    const kinds = new Set<string>();
    for (const [index, { data, end }] of foreseen.entries()) {
      const number = numbers[index] ?? 0;
      const last = end === 'more' ? (data.at(-1)?.at ?? '') : 'all';
      const happened = await after(pager, number);
      const isForeseen = (line: string) => line.slice(0, last.length) <= last;
      assert.deepEqual(
        {
          texts: data.map(({ at, text }) => `${at} ${text}`).join('\n'),
          notices: data.flatMap(({ at, notices }) => notices.map(lineOf(at))).sort(),
        },
        {
          texts: happened.texts.filter(isForeseen).join('\n'),
          notices: happened.notices.filter(isForeseen).sort(),
        },
        `INC-${number}`,
      );
      const [row] = await pager.sql`select status from incidents where number = ${number}`;
      if (end !== 'more') assert.equal(row?.['status'] === 'resolved', end === 'resolved');
      for (const { type } of data) kinds.add(type);
      kinds.add(end);
    }
    const timers = ['expire', 'quiet', 'repeat', 'resolve', 'step', 'unacknowledge', 'unmute'];
    const ends = ['more', 'nothing', 'resolved'];
    assert.deepEqual([...kinds].sort(), [...timers, ...ends].sort());
  }));

test('pages that wait for the end of a mute are foreseen, and then sent', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const until = Temporal.Instant.from('2026-03-02T09:20:00Z');
    await pager.does(1, { type: 'mute', until });
    await pager.work();
    pager.heard();
    const viewer = callerOf(pager, { role: 'viewer' });
    const { body } = await api.send(viewer, 'GET /incidents/1/next');
    const [{ at, type, notices }] = body.data;
    assert.deepEqual([at, type], ['2026-03-02T09:20:00.000Z', 'unmute']);
    assert.deepEqual(notices, [
      {
        kind: 'page',
        step: 1,
        channel: 'email',
        person: 'ada Example',
        user_id: pager.users['ada'],
        deliverable: true,
        reason: null,
      },
    ]);
    const { body: list } = await api.send(viewer, 'GET /incidents?include=next');
    assert.deepEqual(list.next, { [await pager.idOf(1)]: body.data[0] });
    await pager.at('09:20');
    assert.deepEqual(pager.heard(), ['09:20 ada: page one']);
  }));

/** One incident of each, and what was done to it at 09:03; answers their numbers. */
async function seedWorlds(pager: Pager): Promise<readonly number[]> {
  const rota = await pager.schedule(['ada', 'lin'].map((name) => pager.users[name] ?? ''));
  const empty = await pager.schedule([null]);
  const targeted = (who: string) =>
    who === 'rota' || who === 'nobody on call'
      ? { oncall_schedule_id: who === 'rota' ? rota : empty }
      : { user_id: pager.users[who] ?? '' };
  const stepOf = ({ targets, wait }: World['steps'][number]): Step => ({
    // The arbitrary draws from the declared values.
    targets: targets.map(({ who, via }) => ({ via, ...targeted(who) })) as Step['targets'],
    escalate_after_minutes: wait,
  });
  await pager.playbook({
    name: 'Call out',
    run_automatically: ['escalated'],
    actions: [
      { type: 'addResponder', user_id: pager.users['eve'] ?? '' },
      { type: 'note', text: 'Step by step' },
    ],
  });
  const all = [...knownWorlds, ...fc.sample(anyWorld, worlds)];
  for (const [index, world] of all.entries()) {
    const { steps, ackTimeoutMinutes, autoResolveHours: hours, endsAt, ...others } = world;
    const { quietMinutes: after, ...options } = others;
    const on = await pager.integration({
      ...options,
      steps: steps.map(stepOf),
      ...(endsAt !== undefined && { slug: 'prometheus' }),
      ...(ackTimeoutMinutes !== undefined && { ackTimeoutMinutes }),
      ...(after !== undefined && { resolveWhenQuiet: { after, unit: 'minutes' as const } }),
      ...(hours !== undefined && { autoResolve: { after: hours, unit: 'hours' as const } }),
    });
    const title = `world ${index}`;
    if (endsAt === undefined) await pager.trigger(on, { title });
    else {
      const alert = { labels: { alertname: title }, endsAt: `2026-03-02T${endsAt}:00Z` };
      await pager.trigger(on, [alert]);
    }
  }
  await pager.at('09:03');
  const numbers = all.map((_, index) => index + 3);
  for (const [index, { deed }] of all.entries()) {
    const action = deeds[deed];
    if (action) await pager.does(numbers[index] ?? 0, action);
  }
  return numbers;
}

const lineOf =
  (at: string) =>
  ({ kind, channel, person, webhook, deliverable }: Upcoming['notices'][number]) =>
    `${at} ${kind} ${person ?? webhook} by ${channel}: ${deliverable}`;

/** What the timeline and the outbox got after 09:04, but for what became of notices. */
async function after({ sql }: Pager, number: number) {
  const since = '2026-03-02T09:04:00Z';
  const ofIt = sql`incident_id = (select id from incidents where number = ${number})`;
  const entries = await sql<
    { at: Temporal.Instant; text: string; details: unknown; type: string }[]
  >`
    select at, text, type, details from timeline
    where ${ofIt} and at > ${since} and type not like 'notice_%' order by sequence`;
  const sent = await sql<{ at: Temporal.Instant; kind: string; channel: string; name: string }[]>`
    select created_at as at, kind, channel, notice->>'recipient' as name from outbox
    where ${ofIt} and created_at > ${since} and kind <> 'all_clear' and state = 'sent'`;
  const time = (at: Temporal.Instant) => at.toString({ smallestUnit: 'millisecond' });
  const perTime = Map.groupBy(entries, ({ at }) => time(at));
  const skipped = entries.flatMap(({ at, type, details }) => {
    const { skipped: all = [] } = (details ?? {}) as {
      skipped?: { name: string; channel: string }[];
    };
    const kind = type === 'step_ran' || type === 'step_skipped' ? 'page' : type;
    return all.map(({ name, channel }) => `${time(at)} ${kind} ${name} by ${channel}: false`);
  });
  return {
    texts: [...perTime].map(([at, all]) => `${at} ${all.map(({ text }) => `${text}.`).join(' ')}`),
    notices: [
      ...sent.map(
        ({ at, kind, channel, name }) => `${time(at)} ${kind} ${name} by ${channel}: true`,
      ),
      ...skipped,
    ].sort(),
  };
}
