import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { seed } from '../../../test/seed.ts';
import { Luck } from '../../../test/simulation/luck.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { firstIdAt } from '../../engine/ids.ts';
import { testEventPath } from '../../engine/intake/arrival.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Sql } from '../../storage/database/database.ts';
import { readLastDay } from '../../storage/integrations/last-day.ts';
import { lastDayRoute } from './last-day.ts';

type Arrived = {
  readonly on: string;
  readonly at: number;
  readonly outcome: string | null;
  readonly path: string;
};

async function arrive(sql: Sql, events: readonly Arrived[]) {
  const rows = events.map(({ at, ...event }, index) => {
    const received = Temporal.Instant.fromEpochMilliseconds(at);
    const id = `${firstIdAt(received).slice(0, 8)}${index.toString(16).padStart(16, '0')}`;
    return { ...event, id, at: received.toString() };
  });
  await sql`
    insert into events (organization_id, id, integration_id, received_at, source, path,
      content_type, body, body_encoding, outcome, decided_at)
    select i.organization_id, r.id, i.id, r.at, 'http', r.path, 'application/json', '{}', 'utf-8',
      r.outcome, case when r.outcome is not null then r.at end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r ("on" text, id text,
      at timestamptz, outcome text, path text)
    join integrations i on i.id = r."on"`;
}

async function settingOn(pager: Pager) {
  const { sql, clock } = pager;
  const api = await testApi({ sql, clock, routes: [lastDayRoute({ sql })] });
  return {
    read: async (role: Parameters<typeof callerOf>[1] = {}) => {
      const answer = await api.send(callerOf(pager, role), 'GET /integration-activity/last-day');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const HOUR = 3_600_000;
const failures = ['unreadable', 'refused', 'dropped'];

test('the hours of each integration are those of a slow count', () =>
  withPager(async (pager) => {
    await using setting = await settingOn(pager);
    const ids = [
      (await pager.integration({ steps: [pager.step('lin')] })).id,
      (await pager.integration({ steps: [pager.step('lin')] })).id,
    ];
    const quiet = await pager.integration({ steps: [pager.step('lin')] });
    const luck = new Luck(seed);
    const now = pager.clock.now().epochMilliseconds;
    const from = Math.floor(now / HOUR) * HOUR - 23 * HOUR;
    const outcomes = ['opened', 'suppressed', 'ignored', 'mixed', ...failures, null];
    const events = Array.from({ length: 2_000 }, () => ({
      on: luck.of(ids),
      at: from - 2 * HOUR + luck.below((now - from + 2 * HOUR) / 1_000) * 1_000,
      outcome: luck.of(outcomes),
      path: luck.of(['', '', '/v2/enqueue', testEventPath]),
    }));
    await arrive(pager.sql, events);
    const body = await setting.read();
    assert.equal(Date.parse(body.from), from);
    const slow = [...ids, quiet.id].map((id) => ({
      integration_id: id,
      hours: Array.from({ length: 24 }, (_, hour) => {
        const own = events.filter(
          ({ on, at, path }) =>
            on === id && path !== testEventPath && Math.floor((at - from) / HOUR) === hour,
        );
        const failed = own.filter(({ outcome, at }) =>
          outcome === null ? at < now - 60_000 : failures.includes(outcome),
        );
        return { events: own.length, failed: failed.length };
      }),
      complete: true,
    }));
    const byId = (a: { integration_id: string }, b: { integration_id: string }) =>
      a.integration_id.localeCompare(b.integration_id);
    assert.deepEqual(body.data.toSorted(byId), slow.toSorted(byId));
    const nothing = await setting.read({ role: 'viewer', teamIds: [] });
    assert.deepEqual(nothing.data, []);
  }));

test('of more events than are counted the newest are, and nothing else is read', () =>
  withPager(async (pager) => {
    await using setting = await settingOn(pager);
    const { sql, scope } = pager;
    const { id } = await pager.integration({ steps: [pager.step('lin')] });
    const now = pager.clock.now();
    const most = queryLimits.eventsCounted;
    const at = (index: number) => now.epochMilliseconds - index * 1_000;
    const many = Array.from({ length: most + 500 }, (_, index) => index);
    await arrive(
      sql,
      many.map((index) => ({ on: id, at: at(index), outcome: 'opened', path: '' })),
    );
    const { data } = await setting.read();
    const [{ hours, complete, counted_from }] = data;
    const total = hours.reduce((sum: number, hour: { events: number }) => sum + hour.events, 0);
    assert.deepEqual([complete, total, Date.parse(counted_from)], [false, most, at(most - 1)]);

    // What is older is found nowhere near: a day later nothing is left to count.
    await sql`analyze events`;
    const later = now.add({ hours: 48 });
    const read = await sql.begin(async (tx) => {
      const before = await pagesRead(tx, 'events');
      const own = { organizationId: scope.organizationId, teamIds: null };
      const query = { from: later.subtract({ hours: 24 }), decidedBy: later };
      const [day] = await readLastDay(tx, own, query);
      assert.deepEqual(day, { id, hours: [], since: null });
      return (await pagesRead(tx, 'events')) - before;
    });
    assert.ok(read < 20, `${read} pages`);
  }));
