import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration, buildPerson, buildRota } from '../../test/configuration.ts';
import { dailyTurns } from '../../test/daily-turns.ts';
import {
  adaThenLin,
  buildAlert,
  buildIntegration,
  byMail,
  entryTypes,
  eve,
  Life,
  later,
  noon,
  opened,
  paged,
  withSteps,
} from '../../test/incident-life.ts';
import type { Schedule } from '../oncall/schedule.ts';
import type { Step, Target } from '../resources/escalation-policy.ts';
import type { Configuration } from './configuration.ts';
import { wakeAt } from './incident.ts';
import { advance } from './lifecycle.ts';

const ada = 'page ada by email';
const lin = 'page lin by email';
const boss = 'nobody_paged boss by email';

describe('steps', () => {
  test('the first fires when the incident opens, the second when its wait is over', () => {
    const life = new Life();
    assert.deepEqual(paged(opened()), [ada]);
    assert.deepEqual(life.wakes(4.999), []);
    assert.deepEqual(life.wakes(5), [lin]);
    assert.equal(life.escalation.stepAt, null);
  });

  test('waits count from the moment a step fired, and lateness is told', () => {
    const integration = withSteps([byMail('ada', 5), byMail('lin', 5), byMail('boss')]);
    const life = new Life({ integration });
    const outcome = life.does({ type: 'timer' }, 35);
    assert.deepEqual(entryTypes(outcome), ['step_late', 'step_ran']);
    assert.deepEqual(paged(outcome), [lin]);
    assert.deepEqual(life.wakes(39.999), []);
    assert.deepEqual(life.wakes(40), ['page boss by email']);
  });

  test('nothing fires before the delay, and an acknowledgement in it pages nobody', () => {
    const integration = withSteps(adaThenLin, 10);
    assert.deepEqual(entryTypes(opened({ integration })), ['opened', 'paging_delayed']);
    const life = new Life({ integration });
    assert.deepEqual(life.wakes(9.999), []);
    assert.deepEqual(life.wakes(10), [ada]);
    const acknowledged = new Life({ integration });
    acknowledged.does({ type: 'acknowledge', by: eve }, 5);
    assert.deepEqual(acknowledged.wakes(10), []);
  });

  test('whom it cannot read of keeps nobody else from being paged, and admins are told', () => {
    const targets: Target[] = [
      { via: 'email', user_id: 'lost' },
      { via: 'email', oncall_schedule_id: 'gone' },
      { via: 'email', user_id: 'ada' },
    ];
    const configuration = buildConfiguration({ unreadable: new Set(['lost', 'gone']) });
    const integration = withSteps([{ targets, escalate_after_minutes: 5 }, { targets }]);
    const outcome = opened({ integration, configuration });
    assert.deepEqual(paged(outcome), [ada, 'not_all_paged boss by email']);
    assert.deepEqual(entryTypes(outcome), ['opened', 'step_ran', 'not_all_paged']);
    assert.match(outcome.entries.at(-1)?.text ?? '', /^Not everyone could be paged: notified /);
    assert.match(outcome.intents[1]?.why ?? '', /but not the person lost, .* gone: /);
    const steps = [byMail('ada', 5), { targets: targets.slice(0, 2) }];
    const life = new Life({ integration: withSteps(steps), configuration });
    assert.deepEqual(life.wakes(5), ['not_all_paged boss by email']);
    const nobody = withSteps([{ targets: targets.slice(0, 2) }]);
    assert.deepEqual(paged(opened({ integration: nobody, configuration })), [boss]);
  });

  test('one page per person and channel, and per chat address', () => {
    const targets: Target[] = [
      { via: 'email', user_id: 'ada' },
      { via: 'email', user_id: 'ada' },
      { via: 'sms', user_id: 'ada' },
      { via: 'slack', webhook_url: 'https://chat.test/1', channel_name: 'ops' },
      { via: 'slack', webhook_url: 'https://chat.test/1', channel_name: 'ops again' },
      { via: 'slack', webhook_url: 'https://chat.test/2', channel_name: 'all' },
      { via: 'slack', webhook_url: { sealed: 'AAAA' }, channel_name: 'sealed' },
      { via: 'slack', webhook_url: { sealed: 'AAAA' }, channel_name: 'sealed again' },
    ];
    assert.deepEqual(paged(opened({ integration: withSteps([{ targets }]) })), [
      ada,
      'page ada by sms',
      'page ops by slack',
      'page all by slack',
      'page sealed by slack',
    ]);
  });

  test('the first page of an incident goes before others', () => {
    assert.equal(opened().intents[0]?.rank, 0);
    const outcome = new Life().does({ type: 'timer' }, 5);
    assert.equal('refused' in outcome ? null : outcome.intents[0]?.rank, 1);
  });
});

describe('e-mail that is only written to a folder is a channel that is not set up', () => {
  const folder = (fields: Parameters<typeof buildConfiguration>[0] = {}) =>
    buildConfiguration({
      channels: new Set(['sms', 'slack', 'push-notification']),
      written: new Set(['email']),
      ...fields,
    });

  test('the step falls through at once with the reason, and the message is still written', () => {
    const steps = [byMail('ada', 5), { targets: [{ via: 'sms' as const, user_id: 'lin' }] }];
    const outcome = opened({ integration: withSteps(steps), configuration: folder() });
    assert.deepEqual(entryTypes(outcome), ['opened', 'step_skipped', 'step_ran']);
    assert.equal(
      outcome.entries[1]?.text,
      'Step 1 of 2 can page nobody; skipped ada by e-mail: e-mail is not set up, so the message is only written to the folder mail in the data directory',
    );
    assert.deepEqual(
      outcome.intents.map(({ recipient, channel, written = false }) => [
        ...[recipient, channel, written],
      ]),
      [
        ['ada', 'email', true],
        ['lin', 'sms', false],
      ],
    );
    assert.equal(outcome.incident.escalation.pagedInCycle, true);
  });

  test('beside another channel it is written, and the step waits for the other one', () => {
    const targets: Target[] = [
      { via: 'slack', webhook_url: 'https://chat.test/1', channel_name: 'ops' },
      { via: 'email', user_id: 'ada' },
    ];
    const integration = withSteps([{ targets, escalate_after_minutes: 5 }, byMail('lin')]);
    const outcome = opened({ integration, configuration: folder() });
    assert.deepEqual(paged(outcome), ['page ops by slack', ada]);
    assert.match(outcome.entries[1]?.text ?? '', /^Step 1 of 2 pages ops in Slack; skipped ada /);
    assert.equal(outcome.incident.escalation.nextStep, 1);
  });

  test('a round of nothing else pages the admins, and says that they hear nothing either', () => {
    const notReached = opened({ configuration: folder() });
    assert.deepEqual(paged(notReached), [ada, lin, boss]);
    assert.ok(notReached.intents.every(({ written }) => written === true));
    assert.equal(notReached.incident.escalation.pagedInCycle, false);
    assert.match(
      notReached.entries.at(-1)?.text ?? '',
      /^Nobody could be paged: nobody could be notified \(boss by e-mail: e-mail is not set up, /,
    );
    const addresses = { email: ['boss@example.test'], 'push-notification': ['browser'] };
    const people = [
      buildPerson('ada'),
      buildPerson('lin'),
      buildPerson('boss', { role: 'admin', addresses }),
    ];
    const reached = opened({ configuration: folder({ people }) });
    assert.deepEqual(paged(reached).at(-1), 'nobody_paged boss by push-notification');
    assert.equal(reached.entries.at(-1)?.text, 'Nobody could be paged: notified boss');
  });
});

describe('a step that can page nobody falls through at once, with the reason', () => {
  const onCall: Target = { via: 'email', oncall_schedule_id: 'rota' };
  type RotaFields = { readonly archived?: boolean } & Partial<
    Pick<Schedule, 'overrides' | 'inactive'>
  >;
  const rota = (users: readonly (string | null)[], fields: RotaFields = {}) => {
    const { archived = false, overrides = [], inactive = [] } = fields;
    const turns = dailyTurns(users, { from: noon.subtract({ hours: 240 }) });
    const schedule = { ...turns, overrides, inactive };
    return buildConfiguration({ schedules: [buildRota('rota', schedule, { archived })] });
  };
  const gone = buildConfiguration({
    people: [buildPerson('lin'), buildPerson('ada', { active: false })],
  });
  const rows: {
    reason: string;
    target: Target;
    configuration: Configuration;
  }[] = [
    {
      reason: 'nobody is on call',
      target: onCall,
      configuration: rota([null]),
    },
    {
      reason: 'nobody is on call: ada is not active',
      target: onCall,
      configuration: rota(['ada'], { inactive: [{ user_id: 'ada', start: noon, end: null }] }),
    },
    {
      reason: 'nobody is on call: an override takes ada off',
      target: onCall,
      configuration: rota(['ada'], {
        overrides: [
          { id: 'o', user_id: null, replaces_user_id: 'ada', start: noon, end: later(10) },
        ],
      }),
    },
    {
      reason: 'the schedule is archived',
      target: onCall,
      configuration: rota(['ada'], { archived: true }),
    },
    {
      reason: 'the user is not active',
      target: { via: 'email', user_id: 'ada' },
      configuration: gone,
    },
    {
      reason: 'no verified push-notification contact',
      target: { via: 'push-notification', user_id: 'ada' },
      configuration: buildConfiguration(),
    },
    {
      reason: 'no verified sms contact: someone sent STOP by SMS (since 2026-03-01T12:00:00Z)',
      target: { via: 'sms', user_id: 'ada' },
      configuration: buildConfiguration({
        people: [
          buildPerson('lin'),
          buildPerson('ada', {
            addresses: {},
            lost: {
              sms: { state: 'opted_out', since: Temporal.Instant.from('2026-03-01T12:00Z') },
            },
          }),
        ],
      }),
    },
    {
      reason: 'channel not set up',
      target: { via: 'telegram', user_id: 'ada' },
      configuration: buildConfiguration(),
    },
    {
      reason: 'channel not set up',
      target: { via: 'slack', channel_id: 'C1' },
      configuration: buildConfiguration(),
    },
  ];
  for (const { reason, target, configuration } of rows)
    test(`${reason} (${target.via})`, () => {
      const integration = withSteps([
        { targets: [target], escalate_after_minutes: 5 },
        byMail('lin'),
      ]);
      const outcome = opened({ integration, configuration });
      assert.deepEqual(paged(outcome), [lin]);
      assert.deepEqual(entryTypes(outcome), ['opened', 'step_skipped', 'step_ran']);
      assert.ok(outcome.entries[1]?.text.endsWith(`: ${reason}`));
    });

  test('the schedule is asked when the step fires', () => {
    const integration = withSteps([byMail('lin', 5), { targets: [onCall] }]);
    const life = new Life({ integration, configuration: rota(['ada']) });
    life.configuration = rota(['boss']);
    assert.deepEqual(life.wakes(5), ['page boss (on call of Rota) by email']);
  });

  test('whoever stands in when the step fires is paged, and named so', () => {
    const integration = withSteps(
      [onCall, onCall, onCall].map((target) => ({
        targets: [target],
        escalate_after_minutes: 5,
      })),
    );
    const override = { id: 'o', user_id: 'boss', start: later(5), end: later(10) };
    const configuration = rota(['ada'], { overrides: [override] });
    const life = new Life({ integration, configuration });
    assert.deepEqual(paged(opened({ integration, configuration })), [
      'page ada (on call of Rota) by email',
    ]);
    assert.deepEqual(life.wakes(5), ['page boss (on call of Rota, by an override) by email']);
    assert.deepEqual(life.wakes(10), ['page ada (on call of Rota) by email']);
  });
});

describe('never silence', () => {
  const nobody: Step = {
    targets: [{ via: 'telegram', user_id: 'ada' }],
    escalate_after_minutes: 5,
  };

  test('a cycle that pages nobody pages the admins of the team', () => {
    const outcome = opened({ integration: withSteps([nobody, nobody]) });
    assert.deepEqual(paged(outcome), [boss]);
    assert.deepEqual(entryTypes(outcome), [
      'opened',
      'step_skipped',
      'step_skipped',
      'nobody_paged',
    ]);
  });

  test('a cycle whose last steps page nobody after others did does not', () => {
    const life = new Life({ integration: withSteps([byMail('ada', 5), nobody]) });
    const outcome = life.does({ type: 'timer' }, 5);
    assert.deepEqual([paged(outcome), entryTypes(outcome)], [[], ['step_skipped']]);
  });

  test('each cycle that pages nobody tells them again, under another key', () => {
    const integration = { ...withSteps([nobody]), repeats: true };
    const life = new Life({ integration });
    const again = life.does({ type: 'timer' }, 10);
    assert.deepEqual(paged(again), [boss]);
    const keys = [opened({ integration }), again].flatMap((one) =>
      'refused' in one ? [] : one.intents.map((intent) => intent.key),
    );
    assert.equal(new Set(keys).size, 2);
  });
});

test('the policy repeats 10 minutes after its last step, at most 5 times', () => {
  const life = new Life({ integration: buildIntegration({ repeats: true }) });
  const seen: string[] = [];
  for (let at = 0; at <= 200; at += 1)
    for (const page of life.wakes(at)) seen.push(`${at} ${page}`);
  const expected = [`5 ${lin}`];
  for (const at of [15, 30, 45, 60, 75]) expected.push(`${at} ${ada}`, `${at + 5} ${lin}`);
  assert.deepEqual(seen, expected);
  assert.equal(wakeAt(life.incident), null);
});

describe('timers that resolve', () => {
  for (const [unit, after, minutes] of [
    ['minutes', 30, 30],
    ['hours', 2, 120],
    ['days', 1, 1_440],
  ] as const)
    test(`auto_resolve after ${after} ${unit} counts from the creation`, () => {
      const life = new Life({ integration: buildIntegration({ autoResolve: { after, unit } }) });
      life.does({ type: 'acknowledge', by: eve }, 1);
      life.wakes(minutes - 0.001);
      assert.equal(life.incident.status, 'acknowledged');
      const outcome = life.does({ type: 'timer' }, minutes);
      assert.equal(life.incident.status, 'resolved');
      assert.equal(life.incident.resolved_by_timer, true);
      assert.equal('refused' in outcome ? null : outcome.allClear, true);
    });

  test('an alert that is no longer reported resolves, unless it came again before', () => {
    const alert = { action: 'trigger', dedup_key: 'disk', title: 'Disk' } as const;
    const life = new Life({ alert: { ...alert, expires_at: later(4) } });
    life.does(
      {
        type: 'suppressed',
        alert: buildAlert(),
        eventId: 'again',
        isLogged: false,
        expiresAt: later(8),
        remember: 0,
      },
      3,
    );
    life.wakes(4);
    assert.equal(life.incident.status, 'triggered');
    assert.deepEqual(entryTypes(life.does({ type: 'timer' }, 8)), ['expired', 'resolved']);
    assert.equal(life.incident.resolved_by_timer, true);
  });
});

test('waking changes nothing before the nearest timer is due', () => {
  const anyMinute = fc.double({ min: 0, max: 2.99, noNaN: true });
  fc.assert(
    fc.property(anyMinute, (minute) => {
      const { incident } = new Life();
      const outcome = advance(
        incident,
        { type: 'timer' },
        { configuration: buildConfiguration(), now: later(minute) },
      );
      assert.equal('refused' in outcome ? null : outcome.incident, incident);
    }),
  );
});
