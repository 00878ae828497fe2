import assert from 'node:assert/strict';
import { test } from 'node:test';
import { later } from '../../../test/incident-life.ts';
import { webhookTries } from './webhook-tries.ts';

type State = 'sent' | 'pending' | 'failed';
const tried = (name: string, state: State, minute: number, channel = 'webhook') => ({
  claimed: { organization_id: 'o', channel, recipient_key: name },
  state,
  finishedAt: later(minute),
});

const cases: Readonly<
  Record<string, { tries: ReturnType<typeof tried>[]; working: string[]; failing: string[] }>
> = {
  'a success, and a failure that is tried again': {
    tries: [tried('one', 'sent', 1), tried('two', 'pending', 2)],
    working: ['one'],
    failing: [`two ${later(2)}`],
  },
  'a success ends a time of failures, whichever came first': {
    tries: [tried('one', 'failed', 1), tried('one', 'sent', 2), tried('one', 'failed', 3)],
    working: ['one'],
    failing: [],
  },
  'other channels are no webhooks': {
    tries: [tried('ada', 'failed', 1, 'email')],
    working: [],
    failing: [],
  },
};

for (const [title, { tries, working, failing }] of Object.entries(cases))
  test(title, () => {
    const result = webhookTries(tries);
    assert.deepEqual(
      result.working.map((one) => one.recipient_key),
      working,
    );
    assert.deepEqual(
      result.failing.map(({ of, since }) => `${of.recipient_key} ${since}`),
      failing,
    );
  });
