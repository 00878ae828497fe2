import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step, Target } from './escalation-policy.ts';
import { changesText, stepChanges } from './step-changes.ts';

const to = (user_id: string, via: Target['via'] = 'phone'): Target => ({ via, user_id });
const step = (targets: readonly Target[], wait?: number): Step => ({
  targets: [...targets],
  ...(wait !== undefined && { escalate_after_minutes: wait }),
});
const chat = (channel_name: string, webhook_url: string): Target => ({
  via: 'slack',
  channel_name,
  webhook_url,
});

const cases: Readonly<Record<string, readonly [readonly Step[], readonly Step[], string]>> = {
  'nothing changes': [
    [step([to('Ada')], 5), step([to('Lin')])],
    [step([to('Ada')], 5), step([to('Lin')])],
    '',
  ],
  'somebody else': [
    [step([to('Ada')], 5), step([to('Max')])],
    [step([to('Ada')], 5), step([to('Lin')])],
    'step 2 pages Lin instead of Max',
  ],
  'one more': [[step([to('Ada')])], [step([to('Ada'), to('Lin')])], 'step 1 also pages Lin'],
  'one fewer': [[step([to('Ada'), to('Lin')])], [step([to('Lin')])], 'step 1 no longer pages Ada'],
  'by another channel': [
    [step([to('Ada')])],
    [step([to('Ada', 'sms')])],
    'step 1 pages Ada by other channels',
  ],
  'by one channel more, of two people': [
    [step([to('Ada'), to('Lin')])],
    [step([to('Ada'), to('Ada', 'sms'), to('Lin')])],
    'step 1 pages Ada by other channels',
  ],
  'the order of targets, which are paged at once': [
    [step([to('Ada'), to('Lin')])],
    [step([to('Lin'), to('Ada')])],
    '',
  ],
  'another wait': [
    [step([to('Ada')], 5), step([to('Lin')])],
    [step([to('Ada')], 10), step([to('Lin')])],
    'step 1 waits 10 minutes instead of 5',
  ],
  'the wait of a last step, which has no effect': [
    [step([to('Ada')], 5)],
    [step([to('Ada')], 10)],
    '',
  ],
  'a new step': [
    [step([to('Ada')])],
    [step([to('Ada')], 5), step([to('Lin')])],
    'step 2 is new and pages Lin',
  ],
  'a removed step': [
    [step([to('Ada')], 5), step([to('Lin')])],
    [step([to('Ada')])],
    'step 2 is removed',
  ],
  'another address of a chat': [
    [step([chat('#ops', 'a')])],
    [step([chat('#ops', 'b')])],
    'step 1 pages #ops instead of #ops',
  ],
  'more people than are named': [
    [step([to('Ada')])],
    [step(['Ada', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => to(name)))],
    'step 1 also pages B, C, D, E, F and 1 more',
  ],
};

for (const [title, [before, after, text]] of Object.entries(cases))
  test(title, () => {
    const changes = stepChanges(before, after, (one) => one.user_id ?? one.channel_name ?? '');
    assert.equal(changesText(changes), text);
  });

test('of many changes the first are named', () => {
  const steps = (name: string) => Array.from({ length: 8 }, () => step([to(name)], 5));
  const changes = stepChanges(steps('Ada'), steps('Lin'), (one) => one.user_id ?? '');
  assert.equal(changes.length, 8);
  assert.match(changesText(changes), /^step 1 pages Lin instead of Ada; .*; 3 more changes$/);
});
