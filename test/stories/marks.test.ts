import assert from 'node:assert/strict';
import { story } from './story.ts';

story(
  'a sentence that says an end ends what is open, and opens where nothing is',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    const send = async (title: string) => {
      const reply = await pager.trigger(on, { title });
      return 'alerts' in reply ? reply.alerts : reply;
    };
    assert.deepEqual(await send('db-1 is DOWN'), [
      { dedup_key: 'db-1', outcome: 'opened', incident: 1 },
    ]);
    assert.deepEqual(await send('db-1 is back up'), [
      { dedup_key: 'db-1', outcome: 'resolved', incident: 1 },
    ]);
    // Nothing is open: a lost page is worse than one too many.
    assert.deepEqual(await send('db-1 is back up'), [
      { dedup_key: 'db-1 is back up', outcome: 'opened', incident: 2 },
    ]);
    // What opened so is no end of itself.
    assert.deepEqual(await send('db-1 is back up'), [
      { dedup_key: 'db-1 is back up', outcome: 'suppressed', incident: 2 },
    ]);
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  },
);

story('trouble beside an end opens an incident of its own', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of ['db-1 is DOWN', 'db-1 is UP, replica failed'])
    await pager.trigger(on, { title });
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 triggered']);
});

story('a mark in front that ends nothing opens nothing, and the log says so', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: '[RESOLVED] db-1' });
  await pager.work();
  const [event] = await pager.sql`select outcome, reason from events`;
  assert.deepEqual(
    { ...event },
    {
      outcome: 'ignored',
      reason: 'no open incident to resolve, and no earlier alert with its key',
    },
  );
  assert.deepEqual(await pager.incidents(), []);
});
