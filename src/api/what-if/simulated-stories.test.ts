// Stories as they are told: who is told when, in minutes, and how it ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialApi } from '../../../test/trial-api.ts';

type Trial = Awaited<ReturnType<typeof trialApi>>;

type Row = {
  readonly title: string;
  /** What is saved before; answers what more is asked. */
  readonly seed?: (at: Trial) => Promise<object>;
  readonly options?: object;
  readonly notices: readonly string[];
  readonly ends: string;
};

/** Of push, by which some notices go too. */
const noPush = 'channel not set up';
const all = [{ conditions: [{ type: 'allIncidents' }] }];
const rule = (...actions: readonly object[]) => ({ name: 'Rule', condition_groups: all, actions });
const email = (user_id: string) => [{ via: 'email', user_id }];
const night = async (at: Trial, policy: object): Promise<void> => {
  const { status, body } = await at.send(`PATCH /escalation-policies/${at.policy}`, policy);
  assert.equal(status, 200, JSON.stringify(body));
};
const checks = async (at: Trial, integration: object): Promise<void> => {
  const { status, body } = await at.send(`PATCH /integrations/${at.integration}`, integration);
  assert.equal(status, 200, JSON.stringify(body));
};
const rota = (at: Trial, users: readonly (string | null)[]) =>
  at.make('on-calls', {
    name: 'Rota',
    timezone: 'Etc/UTC',
    layers: [{ users, rotation: { length: 1, unit: 'days', handoff: '12:00' } }],
  });

/** Ada at once, and after five minutes Lin. */
async function twoSteps(at: Trial): Promise<object> {
  const first = { targets: email(at.ada), escalate_after_minutes: 5 };
  await night(at, { steps: [first, { targets: email(at.lin) }] });
  return {};
}

const rows: readonly Row[] = [
  {
    title: 'whoever acknowledges in time spares the next step',
    seed: twoSteps,
    options: { acknowledge_after_minutes: 4 },
    notices: ['0 page ada'],
    ends: '4 acknowledged',
  },
  {
    title: 'whoever acknowledges in the minute of the next step is too late',
    seed: twoSteps,
    options: { acknowledge_after_minutes: 5 },
    notices: ['0 page ada', '5 page lin'],
    ends: '5 acknowledged',
  },
  {
    title: 'when nobody acknowledges, all steps are gone through',
    seed: twoSteps,
    notices: ['0 page ada', '5 page lin'],
    ends: '5 exhausted',
  },
  {
    title: 'an acknowledgement that times out pages again, if the story goes on until exhausted',
    async seed(at) {
      await checks(at, { ack_timeout_minutes: 30 });
      return twoSteps(at);
    },
    options: { acknowledge_after_minutes: 2, until: 'exhausted' },
    notices: ['0 page ada', '32 page ada', '37 page lin'],
    ends: '37 exhausted',
  },
  {
    title: 'when nobody is on call, the team’s admins are told',
    async seed(at) {
      const oncall_schedule_id = await rota(at, [at.ada, null]);
      await night(at, { steps: [{ targets: [{ via: 'email', oncall_schedule_id }] }] });
      return { at: '2026-03-05T09:00:00Z' };
    },
    notices: [
      '0 nobody_paged boss',
      '0 page on call: nobody is on call',
      `0 nobody_paged boss: ${noPush}`,
    ],
    ends: '0 exhausted',
  },
  {
    title: 'whoever is on call at each instant is paged, before and after a handoff',
    async seed(at) {
      const oncall_schedule_id = await rota(at, [at.ada, at.lin]);
      const targets = [{ via: 'email', oncall_schedule_id }];
      await night(at, { steps: [{ targets, escalate_after_minutes: 60 }, { targets }] });
      return { at: '2026-03-05T11:30:00Z' };
    },
    notices: ['0 page lin', '60 page ada'],
    ends: '60 exhausted',
  },
  {
    title: 'a delayed policy pages later',
    async seed(at) {
      await night(at, { steps: [{ targets: email(at.ada) }], delay_minutes: 10 });
      return {};
    },
    notices: ['10 page ada'],
    ends: '10 exhausted',
  },
  {
    title: 'what a rule ignores tells nobody anything',
    async seed(at) {
      await at.make('alert-rules', rule({ type: 'ignoreIncident' }));
      return {};
    },
    notices: [],
    ends: '0 nothing',
  },
  {
    title: 'what a rule moves to another integration is paged by its policy',
    async seed(at) {
      const steps = [{ targets: email(at.lin) }];
      const escalation_policy_id = await at.make('escalation-policies', { name: 'Day', steps });
      const related = { slug: 'webhook', service_id: at.service, escalation_policy_id };
      const integration_id = await at.make('integrations', related);
      await at.make('alert-rules', rule({ type: 'integration', integration_id }));
      return {};
    },
    notices: ['0 page lin'],
    ends: '0 exhausted',
  },
  {
    title: 'proposed rules count instead of the saved ones',
    async seed(at) {
      await at.make('alert-rules', rule({ type: 'ignoreIncident' }));
      const actions = { type: 'reassignIncident', user_id: at.lin };
      return { configuration: { rules: [rule(actions)] } };
    },
    notices: ['0 assigned lin', '0 page ada', `0 assigned lin: ${noPush}`],
    ends: '0 exhausted',
  },
  {
    title: 'no proposed rule is a proposal too',
    async seed(at) {
      await at.make('alert-rules', rule({ type: 'ignoreIncident' }));
      return { configuration: { rules: [] } };
    },
    notices: ['0 page ada'],
    ends: '0 exhausted',
  },
  {
    title: 'a proposed rule that is disabled does nothing',
    async seed() {
      return {
        configuration: { rules: [{ ...rule({ type: 'ignoreIncident' }), enabled: false }] },
      };
    },
    notices: ['0 page ada'],
    ends: '0 exhausted',
  },
  {
    title: 'a proposed policy pages instead of the saved one',
    async seed(at) {
      const policy = { name: 'New', steps: [{ targets: email(at.lin) }], delay_minutes: 3 };
      return { configuration: { escalation_policy: policy } };
    },
    notices: ['3 page lin'],
    ends: '3 exhausted',
  },
  {
    title: 'what comes again now is counted onto the open incident, whose steps go on',
    async seed(at) {
      await twoSteps(at);
      await at.trigger({ title: 'Disk full' });
      return {};
    },
    notices: ['5 page lin'],
    ends: '5 exhausted',
  },
  {
    title: 'at another time, the past of the key does not count',
    async seed(at) {
      await twoSteps(at);
      await at.trigger({ title: 'Disk full' });
      return { at: '2026-03-05T09:00:00Z' };
    },
    notices: ['0 page ada', '5 page lin'],
    ends: '5 exhausted',
  },
  {
    title: 'an incident goes on from now, without what it has told already',
    async seed(at) {
      await twoSteps(at);
      await at.trigger({ title: 'Disk full' });
      const incident_id = await at.incident();
      return { integration_id: undefined, event: undefined, incident_id };
    },
    notices: ['5 page lin'],
    ends: '5 exhausted',
  },
  {
    title: 'what resolves by itself ends resolved, and whoever was paged is told',
    async seed(at) {
      await checks(at, { auto_resolve: { after: 2, unit: 'hours' } });
      return {};
    },
    notices: ['0 page ada', '120 all_clear ada'],
    ends: '120 resolved',
  },
  {
    title: 'nobody looks further ahead than thirty days',
    async seed(at) {
      await checks(at, { auto_resolve: { after: 40, unit: 'days' } });
      return {};
    },
    notices: ['0 page ada'],
    ends: `${30 * 24 * 60} days`,
  },
];

for (const { title, seed, options, notices, ends } of rows)
  test(title, async () => {
    await using at = await trialApi();
    const event = { title: 'Disk full' };
    const more = await seed?.(at);
    const body = { integration_id: at.integration, event, ...options, ...more };
    const answer = await at.send('POST /simulate', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const story = answer.body;
    assert.deepEqual(story.notices.map(noticeText), notices);
    assert.equal(`${story.ended.after_seconds / 60} ${story.ended.type}`, ends);
  });

test('a story of very many lines is told up to a thousand', async () => {
  await using at = await trialApi();
  const targets = [at.ada, at.lin].flatMap(email);
  await night(at, { steps: Array(50).fill({ targets, escalate_after_minutes: 1 }) });
  await checks(at, { repeat_escalation: true, ack_timeout_minutes: 1 });
  const acknowledge = { acknowledge_after_minutes: 100, until: 'exhausted' };
  const event = { title: 'Disk full' };
  const body = { integration_id: at.integration, event, ...acknowledge };
  const { body: story } = await at.send('POST /simulate', body);
  assert.deepEqual([story.entries.length, story.ended.type], [1_000, 'entries']);
});

type Notice = {
  readonly after_seconds: number;
  readonly kind: string;
  readonly person: string;
  readonly reason: string | null;
};

function noticeText({ after_seconds, kind, person, reason }: Notice): string {
  const name = person.replace(/ (Example|of Rota).*$/, '');
  return `${after_seconds / 60} ${kind} ${name}${reason === null ? '' : `: ${reason}`}`;
}
