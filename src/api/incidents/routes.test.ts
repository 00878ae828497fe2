import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, givenIncidents } from '../../../test/given-incidents.ts';
import { withPager } from '../../../test/stories/story.ts';

test('a notice tells when each attempt began and ended, in UTC with milliseconds', () =>
  withPager(async (pager) => {
    await using api = await givenIncidents(pager);
    pager.answers.set('ada', { outcome: 'failed', reason: 'no such mailbox' });
    await pager.work();
    const answer = await api.send(callerOf(pager), 'GET /incidents/1/notices');
    const [{ attempts, ...notice }] = answer.body.data;
    const at = '2026-03-02T09:00:00.000Z';
    assert.deepEqual([notice.state, notice.finished_at], ['failed', at]);
    assert.deepEqual(attempts, [
      {
        ...{ number: 1, claimed_at: at, finished_at: at },
        ...{ outcome: 'failed', reason: 'no such mailbox', answer: null },
      },
    ]);
  }));
