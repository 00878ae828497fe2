import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentenceOf } from './sentence.ts';
import { stepPagesOf } from './simulated.ts';
import { channelFor, movedStep, targetOf, usualChannel, withoutStep, withStep } from './steps.ts';
import { spanOf, startsOf } from './times.ts';

const step = (id: string, wait?: unknown) => ({
  targets: [{ via: 'email', user_id: id }],
  ...(wait !== undefined && { escalate_after_minutes: wait }),
});
const steps = [step('ada', 5), step('lin', 10), step('grace')];

test('a step runs after the delay and all waits before it, and a missing wait leaves it open', () => {
  for (const [waits, delay, starts] of [
    [[5, 10, undefined], undefined, [0, 5, 15]],
    [[5, 10, undefined], 2, [2, 7, 17]],
    [[5, undefined, undefined], 0, [0, 5, null]],
    [['x', 10, undefined], 0, [0, null, null]],
    [[5], 'x', [null]],
  ] as const)
    assert.deepEqual(
      startsOf(
        waits.map((wait) => step('ada', wait)),
        delay,
      ),
      starts,
    );
});

test('minutes read as hours and minutes', () => {
  for (const [minutes, text] of [
    [0, '0 minutes'],
    [59, '59 minutes'],
    [60, '1 hour'],
    [90, '1 hour 30 minutes'],
    [1_440, '24 hours'],
  ] as const)
    assert.equal(spanOf(minutes), text);
});

test('a step is moved without the waits, which are between the steps', () => {
  assert.deepEqual(movedStep(steps, 2, -1), [step('ada', 5), step('grace', 10), step('lin')]);
  assert.deepEqual(movedStep(steps, 0, 1), [step('lin', 5), step('ada', 10), step('grace')]);
  assert.deepEqual(movedStep(steps, 0, -1), steps);
});

test('no step waits at the end: neither a new one nor the one before a removed one', () => {
  assert.deepEqual(withoutStep(steps, 2), [step('ada', 5), step('lin')]);
  assert.deepEqual(withoutStep(steps, 0), [step('lin', 10), step('grace')]);
  assert.deepEqual(withStep([step('ada', 5)]), [step('ada', 5), { targets: [] }]);
});

test('a pick becomes a target, and a chat is addressed as far as its channels are listed', () => {
  const defaults = { personal: 'sms', isListed: (chat: string) => chat === 'slack' };
  for (const [pick, target] of [
    ['user:ada', { via: 'sms', user_id: 'ada' }],
    ['oncall_schedule:web', { via: 'sms', oncall_schedule_id: 'web' }],
    ['chat:slack', { via: 'slack', channel_id: '' }],
    ['chat:discord', { via: 'discord', webhook_url: '' }],
    ['', null],
  ] as const)
    assert.deepEqual(targetOf(pick, defaults), target);
});

test('the usual channel is that of the last person, else the first that is set up', () => {
  assert.equal(usualChannel(steps, ['phone']), 'email');
  assert.equal(
    usualChannel([{ targets: [{ via: 'slack', channel_id: 'C' }] }], ['phone']),
    'phone',
  );
  assert.equal(usualChannel([], []), undefined);
});

test('a person is paged by the usual channel, unless only others reach them', () => {
  const by = (channel: string, reachable = true) => ({ channel, reachable });
  assert.equal(channelFor('phone', [by('email'), by('phone')]), 'phone');
  assert.equal(channelFor('phone', [by('email'), by('phone', false)]), 'email');
  assert.equal(channelFor('phone', [by('email'), by('sms')]), 'sms', 'in the order of channels');
  assert.equal(channelFor('phone', []), 'phone');
});

test('a policy reads as one sentence', () => {
  const nameOf = (_: string, id: string) => ({ ada: 'Ada', lin: 'Lin', web: 'Web' })[id] ?? id;
  const policy = {
    steps: [
      {
        targets: [...step('ada').targets, { via: 'sms', oncall_schedule_id: 'web' }],
        escalate_after_minutes: 90,
      },
      { targets: [{ via: 'slack', webhook_url: 'https://chat.test/1' }] },
    ],
  };
  const text =
    'Ada (E-mail) and On call: Web (SMS), then after 1 hour 30 minutes Slack channel (Slack)';
  assert.equal(sentenceOf(policy, nameOf), text);
  assert.equal(sentenceOf({ ...policy, delay_minutes: 2 }, nameOf), `After 2 minutes ${text}`);
});

test('a step that pages nobody is named before the one that runs in its place', () => {
  const page = { kind: 'page', channel: 'email', user_id: 'ada', deliverable: true, reason: null };
  const at = (step: number | null, after_seconds: number) => ({ ...page, step, after_seconds });
  const shown = stepPagesOf([at(2, 0), at(null, 0), at(3, 300)]).map(
    ({ step, afterMinutes, reachesSomebody }) => [step, afterMinutes, reachesSomebody],
  );
  assert.deepEqual(shown, [
    [1, null, false],
    [2, 0, true],
    [3, 5, true],
  ]);
  assert.deepEqual(stepPagesOf([]), []);
});
