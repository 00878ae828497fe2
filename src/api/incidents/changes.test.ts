// What was changed about a service is read with its incidents, as PagerDuty's change events told it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computed } from '../../../test/compute.ts';
import { key, openDialects } from '../../../test/dialect-server.ts';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { queryLimits } from '../../limits/queries.ts';

async function openPaged(pager: Pager) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await openDialects(pager));
  const api = stack.use(await seedIncidents(pager, []));
  const all = stack.move();
  const viewer = callerOf(pager, { role: 'viewer' });
  const change = (payload: object | string, more: object = {}) =>
    server.send('POST /v2/change/enqueue', { body: { routing_key: key, payload, ...more } });
  return {
    api,
    viewer,
    change,
    report: (event_action: string, dedup_key: string) =>
      server.send('POST /v2/enqueue', {
        body: { routing_key: key, event_action, dedup_key, payload: { summary: 'Disk full' } },
      }),
    summariesOf: async (number: number) => {
      const { body } = await api.send(viewer, `GET /incidents/${number}/changes`);
      return [body.data.map(({ summary }: { summary: string }) => summary), body.more];
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test('an incident has the changes that came in the day before it, and until it was resolved', () =>
  withPager(async (pager) => {
    await using paged = await openPaged(pager);
    await pager.at('09:01');
    await paged.change({ summary: 'First' });
    await pager.at('09:02');
    await paged.change({ summary: 'Second' });
    await pager.at('09:03');
    await paged.report('trigger', 'disk');
    await pager.at('09:20');
    await paged.change({ summary: 'While it was open' });
    await pager.at('09:30');
    await paged.report('resolve', 'disk');
    await pager.at('09:31');
    await paged.change({ summary: 'After its end' });
    assert.deepEqual(await paged.summariesOf(1), [['While it was open', 'Second', 'First'], false]);
    await pager.sql`update incidents set created_at = '2026-03-03T09:02:00Z'`;
    assert.deepEqual(await paged.summariesOf(1), [['While it was open', 'Second'], false]);
    const other = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(other, { title: 'Of another service' });
    assert.deepEqual(await paged.summariesOf(2), [[], false]);
  }));

test('a change is shown as it was told: when, where from, and by links to the web', () =>
  withPager(async (pager) => {
    await using paged = await openPaged(pager);
    await pager.at('09:12');
    const links = [
      { href: 'https://ci.example.com/220', text: 'Build 220' },
      { href: 'javascript:alert(1)', text: 'Run' },
      { href: `https://ci.example.com/?key=${key}` },
      { href: 'https://ci.example.com/220', text: 'The same' },
    ];
    const payload = { summary: 'Deployed\n shop 2.4', source: 'ci', custom_details: { by: 'ada' } };
    await paged.change({ ...payload, timestamp: '2026-03-02T09:10:58.315+0000' }, { links });
    await pager.at('09:13');
    await paged.change({ timestamp: '2015-07-17T08:42:58Z' }, { links: 'none' });
    await pager.at('09:14');
    await paged.change('Deployed without a form', { payload: { summary: 7, timestamp: 'soon' } });
    await pager.at('09:15');
    await paged.report('trigger', 'disk');
    const { status, body } = await paged.api.send(paged.viewer, 'GET /incidents/1/changes');
    const ids = await pager.sql<{ event_id: string; integration_id: string }[]>`
      select id as event_id, integration_id from events
      where path = '/v2/change/enqueue' order by id desc`;
    assert.equal(status, 200);
    assert.deepEqual(body, {
      data: [
        { at: '2026-03-02T09:14:00.000Z', summary: '7', links: [], ...ids[0] },
        {
          at: '2026-03-02T09:13:00.000Z',
          summary: 'A change without a summary',
          links: [],
          ...ids[1],
        },
        {
          at: '2026-03-02T09:10:58.315Z',
          summary: 'Deployed shop 2.4',
          source: 'ci',
          links: [
            { href: 'https://ci.example.com/220', text: 'The same' },
            { href: `https://ci.example.com/?key=${'*'.repeat(key.length)}` },
          ],
          ...ids[2],
        },
      ],
      more: false,
    });
  }));

test('of many changes the newest are answered, and of large ones fewer', () =>
  withPager(async (pager) => {
    await using paged = await openPaged(pager);
    await pager.at('09:05');
    const most = queryLimits.incidentChanges;
    for (let count = 0; count <= most; count += 1) await paged.change({ summary: `${count}` });
    await paged.report('trigger', 'disk');
    const newest = Array.from({ length: most }, (_one, index) => `${most - index}`);
    assert.deepEqual(await paged.summariesOf(1), [newest, true]);
    const custom_details = 'x'.repeat(queryLimits.incidentChangesBytes / 2);
    for (const summary of ['one', 'two', 'three']) await paged.change({ summary, custom_details });
    const before = computed().length;
    assert.deepEqual(await paged.summariesOf(1), [['three', 'two'], true]);
    assert.deepEqual(computed().slice(before), ['changes'], 'large ones are read in a thread');
  }));

test('what a mapping does not find in a change is no reason to miss it', () =>
  withPager(async (pager) => {
    await using paged = await openPaged(pager);
    await pager.at('09:05');
    await paged.change({ summary: 'Deployed' });
    await pager.sql`update events set reason = 'the mapping found no title'`;
    await paged.report('trigger', 'disk');
    assert.deepEqual(await paged.summariesOf(1), [['Deployed'], false]);
  }));

test('changes of incidents of other teams are not read', () =>
  withPager(async (pager) => {
    await using paged = await openPaged(pager);
    await paged.report('trigger', 'disk');
    const stranger = callerOf(pager, { teamIds: [pager.placeOf('core').teamId] });
    const { status } = await paged.api.send(stranger, 'GET /incidents/1/changes');
    assert.equal(status, 404);
  }));
