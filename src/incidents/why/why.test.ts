import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildIntegration, byMail, later, noon, opened } from '../../../test/incident-life.ts';
import { forGood, type Incident } from '../incident.ts';
import { cancellationReason } from '../notice-cancellation.ts';
import type { Attempt, OwnNotice, Story, StoryEntry } from './story.ts';
import { whyPaged } from './why.ts';

const { incident } = opened({ integration: buildIntegration() });
const ada = { id: 'ada', name: 'Ada' };
const lin = { id: 'lin', name: 'Lin' };

const entry = (
  type: string,
  minutes: number,
  text: string,
  details: unknown = null,
): StoryEntry => ({
  id: `${type} ${minutes}`,
  at: later(minutes),
  type,
  text,
  details,
});
const paged = { channel: 'email', name: 'Ada', user_id: 'ada' };
const stepOne = (skipped: readonly object[] = []) =>
  entry('step_ran', 0, 'Step 1 of 2 pages Ada by e-mail', { step: 0, paged: [paged], skipped });
const acknowledged = (minutes: number) =>
  entry('acknowledged', minutes, 'Eve acknowledged, so nobody else is paged');

const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  claimed_at: noon,
  finished_at: noon,
  outcome: 'delivered',
  reason: null,
  ...fields,
});
const notice = (fields: Partial<OwnNotice> = {}): OwnNotice => ({
  key: 'i/0/0/email/ada',
  kind: 'page',
  channel: 'email',
  state: 'sent',
  reason: null,
  why: 'Step 1 of 2 of the policy Ops',
  created_at: noon,
  finished_at: noon,
  attempts: [attempt()],
  ...fields,
});
const page = 'the page by e-mail (Step 1 of 2 of the policy Ops)';

type StoryFields = Partial<Omit<Story, 'incident'>> & { readonly incident?: Partial<Incident> };
const story = (fields: StoryFields = {}): Story => ({
  user: ada,
  event: null,
  entries: [],
  notices: [],
  removed: { entries: null, notices: null },
  ...fields,
  incident: { ...incident, ...fields.incident },
});
const escalation = { ...incident.escalation, nextStep: 1, stepAt: later(5) };
const muted = { escalation: { ...escalation, stepAt: null }, muted_until: forGood };

const rotaNext = {
  escalation,
  steps: [byMail('ada', 5), { targets: [{ via: 'email' as const, oncall_schedule_id: 's' }] }],
};
const missed = { channel: 'email', name: 'whoever' };
const cancelledFor = (reason: string) =>
  notice({ state: 'cancelled', reason, finished_at: later(2), attempts: [] });

type Case = { readonly title: string; readonly fields: StoryFields; readonly answer: string };
const cases: readonly Case[] = [
  {
    title: 'pages may be among what was removed',
    fields: { removed: { entries: later(60), notices: later(50) }, entries: [] },
    answer: `It is no longer known whether Ada was paged: the notices of INC-${incident.number} were deleted at 2026-03-02T12:50:00Z, at the end of their retention period.`,
  },
  {
    title: 'the timeline was removed',
    fields: { removed: { entries: later(60), notices: null } },
    answer: `Ada was not paged, but the reason is no longer known: the timeline of INC-${incident.number} was deleted at 2026-03-02T13:00:00Z, at the end of its retention period.`,
  },
  {
    title: 'one page is left of those that were removed, and was delivered',
    fields: { removed: { entries: null, notices: later(50) }, notices: [notice()] },
    answer: 'Ada was paged by e-mail at 2026-03-02T12:00:00Z: Step 1 of 2 of the policy Ops.',
  },
  {
    title: 'the page was delivered',
    fields: { entries: [stepOne()], notices: [notice()] },
    answer: 'Ada was paged by e-mail at 2026-03-02T12:00:00Z: Step 1 of 2 of the policy Ops.',
  },
  {
    title: 'it was delivered, though its cancellation came first',
    fields: { notices: [notice({ state: 'cancelled', reason: 'the incident is resolved' })] },
    answer: 'Ada was paged by e-mail at 2026-03-02T12:00:00Z: Step 1 of 2 of the policy Ops.',
  },
  {
    title: 'an admin was paged for want of others',
    fields: { notices: [notice({ kind: 'nobody_paged', why: 'Nobody could be paged' })] },
    answer:
      'Ada was paged by e-mail at 2026-03-02T12:00:00Z: nobody else could be paged, and Ada is an admin of the team.',
  },
  {
    title: 'the first page failed, the second was delivered',
    fields: {
      notices: [
        notice({ state: 'failed', attempts: [attempt({ outcome: 'failed', reason: 'no' })] }),
        notice({ channel: 'sms' }),
      ],
    },
    answer: 'Ada was paged by SMS at 2026-03-02T12:00:00Z: Step 1 of 2 of the policy Ops.',
  },
  {
    title: 'the page is on its way',
    fields: { notices: [notice({ state: 'pending', finished_at: null, attempts: [] })] },
    answer: `Ada was not paged: ${page} has not been sent yet.`,
  },
  {
    title: 'the page waits for the end of a mute',
    fields: {
      incident: { muted_until: later(60) },
      notices: [notice({ state: 'pending', finished_at: null, attempts: [] })],
    },
    answer: `Ada was not paged: ${page} is sent when the mute ends.`,
  },
  {
    title: 'the page failed and is tried again',
    fields: {
      notices: [
        notice({
          state: 'pending',
          finished_at: null,
          attempts: [attempt({ outcome: 'retry', reason: 'mail server: 451' })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} failed and is retried: mail server: 451.`,
  },
  {
    title: 'the page is with a vendor',
    fields: {
      notices: [
        notice({
          state: 'pending',
          finished_at: null,
          attempts: [attempt({ outcome: 'handed_over' })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} was sent, and its receipt is pending.`,
  },
  {
    title: 'the page ended at one contact, and is tried at the next',
    fields: {
      notices: [
        notice({
          state: 'pending',
          finished_at: null,
          attempts: [
            attempt({ outcome: 'handed_over', reason: 'busy' }),
            attempt({ number: 2, outcome: 'retry', reason: 'busy at …5678' }),
          ],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} failed and is retried: busy at …5678.`,
  },
  {
    title: 'no vendor confirmed the page',
    fields: {
      notices: [
        notice({
          reason: 'no receipt arrived at …5678; busy at …5432',
          attempts: [attempt({ outcome: 'unconfirmed' })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} was sent, but nothing confirms that it arrived: no receipt arrived at …5678; busy at …5432.`,
  },
  {
    title: 'the page failed for good',
    fields: {
      notices: [
        notice({
          state: 'failed',
          reason: 'mail server: 550',
          attempts: [attempt({ outcome: 'failed', reason: 'mail server: 550' })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} failed: mail server: 550.`,
  },
  {
    title: 'the page to an admin failed, for a reason with a full stop of its own',
    fields: {
      notices: [
        notice({
          kind: 'nobody_paged',
          why: 'Nobody could be paged; you are an admin of the team',
          state: 'failed',
          reason: 'mail server: 550 No such user.',
          attempts: [attempt({ outcome: 'failed', reason: 'mail server: 550 No such user.' })],
        }),
      ],
    },
    answer:
      'Ada was not paged: the page by e-mail (nobody else could be paged, and Ada is an admin of the team) failed: mail server: 550 No such user.',
  },
  {
    title: 'somebody acknowledged before the page left',
    fields: {
      incident: { status: 'acknowledged' },
      entries: [stepOne(), acknowledged(1), entry('resolved', 9, 'Eve resolved')],
      notices: [
        notice({
          state: 'cancelled',
          reason: 'the incident is acknowledged',
          attempts: [],
          finished_at: later(2),
        }),
      ],
    },
    answer: `Ada was not paged: ${page} was not sent, because the incident is acknowledged (Eve acknowledged, so nobody else is paged, at 2026-03-02T12:01:00Z).`,
  },
  {
    title: 'the server died while the page was on its way, and then somebody acknowledged',
    fields: {
      notices: [
        notice({
          state: 'cancelled',
          reason: 'the incident is acknowledged',
          attempts: [attempt({ finished_at: null, outcome: null })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} may have been sent and was not retried, because the incident is acknowledged.`,
  },
  {
    title: 'the step passed over the only channel',
    fields: {
      user: lin,
      entries: [
        stepOne([
          { channel: 'sms', name: 'Lin', user_id: 'lin', reason: 'no verified sms contact' },
        ]),
      ],
    },
    answer: 'Lin was not paged: step 1 could not page them by SMS: no verified sms contact.',
  },
  {
    title: 'an acknowledgement came before the step',
    fields: {
      user: lin,
      incident: { status: 'acknowledged', escalation: { ...escalation, stepAt: null } },
      entries: [stepOne(), acknowledged(3)],
    },
    answer:
      'Lin was not paged: step 2, which names Lin, was not reached (Eve acknowledged, so nobody else is paged, at 2026-03-02T12:03:00Z).',
  },
  {
    title: 'the step comes next',
    fields: { user: lin, incident: { escalation }, entries: [stepOne()] },
    answer: 'Lin was not paged: step 2, which names Lin, runs at 2026-03-02T12:05:00Z.',
  },
  {
    title: 'the step comes later',
    fields: { user: lin, incident: { escalation: { ...escalation, nextStep: 0 } } },
    answer: 'Lin was not paged: step 2, which names Lin, has not run yet.',
  },
  {
    title: 'the incident is muted',
    fields: { user: lin, incident: muted, entries: [stepOne()] },
    answer: 'Lin was not paged: step 2, which names Lin, waits until the mute ends.',
  },
  {
    title: 'paging has not begun',
    fields: {
      user: { id: 'zoe', name: 'Zoe' },
      entries: [entry('paging_delayed', 0, 'Paging starts in 5 minutes')],
    },
    answer: `Zoe was not paged: INC-${incident.number} has paged nobody yet.`,
  },
  {
    title: 'the incident was only assigned',
    fields: {
      user: { id: 'zoe', name: 'Zoe' },
      entries: [stepOne()],
      notices: [notice({ kind: 'assigned', why: 'Eve assigned it to you' })],
    },
    answer: 'Zoe was not paged: it was assigned to Zoe, but the notice by e-mail is not a page.',
  },
  {
    title: 'a responder was added who cannot be told',
    fields: {
      user: { id: 'zoe', name: 'Zoe' },
      entries: [
        stepOne(),
        entry('responder_added', 1, 'Responder added: nobody could be notified', {
          notified: [],
          skipped: [{ ...missed, user_id: 'zoe', reason: 'no verified email contact' }],
        }),
      ],
    },
    answer:
      'Zoe was not paged: Zoe was added as a responder, but could not be notified by e-mail: no verified email contact.',
  },
  {
    title: 'an admin cannot be paged for want of others either',
    fields: {
      user: { id: 'boss', name: 'Boss' },
      entries: [
        entry('nobody_paged', 1, 'Nobody could be paged: nobody could be notified', {
          notified: [],
          skipped: [{ ...missed, user_id: 'boss', reason: 'the user is not active' }],
        }),
      ],
    },
    answer:
      'Boss was not paged: nobody else could be paged, and neither could Boss by e-mail: the user is not active.',
  },
  {
    title: 'a page that failed so far was outdated by an acknowledgement',
    fields: {
      incident: { status: 'acknowledged' },
      entries: [acknowledged(1)],
      notices: [
        notice({
          state: 'cancelled',
          finished_at: later(2),
          reason: 'the incident is acknowledged',
          attempts: [attempt({ outcome: 'retry', reason: 'mail server: 451' })],
        }),
      ],
    },
    answer: `Ada was not paged: ${page} failed (mail server: 451) and was not retried, because the incident is acknowledged (Eve acknowledged, so nobody else is paged, at 2026-03-02T12:01:00Z).`,
  },
  {
    title: 'what stopped the page is not what happened last before',
    fields: {
      entries: [acknowledged(1), entry('unacknowledged', 2, 'Eve took it back')],
      notices: [cancelledFor('the monthly alert limit is reached')],
    },
    answer: `Ada was not paged: ${page} was not sent, because the monthly alert limit is reached.`,
  },
  {
    title: 'the incident was muted once it was acknowledged',
    fields: {
      incident: { status: 'acknowledged' },
      entries: [acknowledged(1), entry('muted', 1.5, 'Lin muted it for good')],
      notices: [cancelledFor('the incident is acknowledged')],
    },
    answer: `Ada was not paged: ${page} was not sent, because the incident is acknowledged (Eve acknowledged, so nobody else is paged, at 2026-03-02T12:01:00Z).`,
  },
  {
    title: 'it was merged before the step, and muted before that',
    fields: {
      user: lin,
      incident: { status: 'resolved', escalation: { ...escalation, stepAt: null } },
      entries: [
        stepOne(),
        entry('muted', 1, 'Eve muted it for good'),
        entry('merged', 2, 'Eve merged it into INC-7'),
        entry('unchanged', 3, 'Eve tried to resolve, which changed nothing'),
      ],
    },
    answer:
      'Lin was not paged: step 2, which names Lin, was not reached (Eve merged it into INC-7, at 2026-03-02T12:02:00Z).',
  },
  {
    title: 'a step that asks a schedule was not reached',
    fields: {
      user: { id: 'zoe', name: 'Zoe' },
      incident: { ...rotaNext, status: 'acknowledged' },
      entries: [stepOne(), acknowledged(3)],
    },
    answer:
      'Zoe was not paged: no step that ran names Zoe, and step 2, which pages whoever is on call, was not reached (Eve acknowledged, so nobody else is paged, at 2026-03-02T12:03:00Z).',
  },
  {
    title: 'a step that asks a schedule comes next',
    fields: { user: { id: 'zoe', name: 'Zoe' }, incident: rotaNext, entries: [stepOne()] },
    answer:
      'Zoe was not paged: no step that ran names Zoe, and step 2, which pages whoever is on call, runs at 2026-03-02T12:05:00Z.',
  },
  {
    title: 'nothing of it concerns the person',
    fields: { user: { id: 'zoe', name: 'Zoe' }, entries: [stepOne()] },
    answer:
      'Zoe was not paged: no step that ran names Zoe or a schedule that they were on call for.',
  },
];

describe('the answer, when', () => {
  for (const { title, fields, answer } of cases)
    test(title, () => {
      const why = whyPaged(story(fields));
      assert.equal(why.answer, answer);
      assert.equal(why.paged, / was paged by /.test(answer));
    });
});

test('whichever state of the incident stops a page, the answer tells who made it so', () => {
  const states = {
    acknowledged: { status: 'acknowledged' },
    resolved: { status: 'resolved' },
  } as const;
  for (const [type, state] of Object.entries(states)) {
    const sent = { kind: 'page', channel: 'email', recipient: 'Ada', cycle: 0, step: 0 } as const;
    const reason = cancellationReason(sent, { ...incident, ...state }) ?? '';
    const { answer } = whyPaged(
      story({
        entries: [entry(type, 1, 'Eve did'), entry('unchanged', 1.5, 'Lin asked')],
        notices: [cancelledFor(reason)],
      }),
    );
    assert.match(answer, /was not sent, because the incident is \w+ \(Eve did, at /);
  }
});

test('the chain goes from the event to the answer, each link with its source', () => {
  const { chain } = whyPaged(
    story({
      event: { id: 'e1', received_at: later(-0.01), source: 'mail' },
      incident: { suppressed_count: 7 },
      entries: [
        entry('opened', 0, 'Opened by an alert to Checks, on Shop'),
        stepOne(),
        entry('suppressed', 1, 'The same alert came again'),
        acknowledged(2),
      ],
      notices: [
        notice({
          state: 'cancelled',
          reason: 'the incident is acknowledged',
          finished_at: later(3),
          attempts: [
            attempt({ outcome: 'retry', reason: 'mail server: 451' }),
            attempt({ number: 2, claimed_at: later(1), finished_at: null, outcome: null }),
          ],
        }),
      ],
    }),
  );
  assert.deepEqual(
    chain.map(({ text, source }) => `${source.type} ${source.id}: ${text}`),
    [
      'event e1: An event arrived by e-mail',
      'timeline opened 0: Opened by an alert to Checks, on Shop',
      'timeline step_ran 0: Step 1 of 2 pages Ada by e-mail',
      'page i/0/0/email/ada: The page by e-mail was created: Step 1 of 2 of the policy Ops',
      'attempt i/0/0/email/ada#1: The page by e-mail, attempt 1: failed and is retried: mail server: 451',
      `timeline suppressed 1: The same alert arrived again, 7 times so far. It is counted on INC-${incident.number}, and nobody is paged for it`,
      'attempt i/0/0/email/ada#2: The page by e-mail, attempt 2: sent, but it is not known whether it arrived',
      'timeline acknowledged 2: Eve acknowledged, so nobody else is paged',
      'page i/0/0/email/ada: The page by e-mail was not sent: the incident is acknowledged',
    ],
  );
});

test('a step that means others says that the person is not among them', () => {
  const { chain } = whyPaged(story({ user: lin, entries: [stepOne()] }));
  assert.deepEqual(
    chain.map(({ text }) => text),
    ['Step 1 of 2 pages Ada by e-mail, but not Lin'],
  );
});

test('a step that asked a schedule tells which layer the person came from', () => {
  const on_call = { schedule_id: 's', schedule: 'Rota', layer: 1 };
  const { chain } = whyPaged(
    story({
      entries: [
        entry('step_ran', 0, 'Step 1 of 1 pages Ada (on call of Rota) by e-mail', {
          step: 0,
          skipped: [],
          paged: [{ ...paged, on_call }],
        }),
      ],
    }),
  );
  assert.deepEqual(
    chain.map(({ text }) => text),
    ['Step 1 of 1 pages Ada (on call of Rota) by e-mail; on call by layer 2 of Rota'],
  );
});

test('the chain keeps the order of the timeline, though a clock went back between two entries', () => {
  const entries = [stepOne(), acknowledged(3), entry('unacknowledged', 2, 'Paging goes on')];
  const { chain } = whyPaged(story({ entries, notices: [notice({ created_at: later(4) })] }));
  const fromTimeline = chain.filter(({ source }) => source.type === 'timeline');
  assert.deepEqual(
    fromTimeline.map(({ source }) => source.id),
    entries.map(({ id }) => id),
  );
});
