import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesRead } from '../../../test/pages-read.ts';
import { withPager } from '../../../test/stories/story.ts';
import { changesOf } from './changes.ts';

test('however many events and changes came, only as many are read as are answered', () =>
  withPager(async (pager) => {
    const { sql, clock } = pager;
    const { organizationId } = pager.scope;
    const now = clock.now();
    const { id } = await pager.integration({ steps: [pager.step('ada')] });
    // Two in a second, and one in two hundred a change: before, within and after what is asked for.
    await sql`
      insert into events (organization_id, id, integration_id, received_at, source, path,
        content_type, body, body_encoding, outcome)
      select ${organizationId},
        lpad(to_hex(${now.epochMilliseconds / 1_000}::bigint + n / 2) || lpad(to_hex(n), 16, '0'), 24, '0'),
        ${id}, ${now}::timestamptz + (n / 2) * interval '1 second', 'http',
        case when n % 200 = 0 then '/v2/change/enqueue' else '/v2/enqueue' end,
        'application/json', '{}', 'utf-8', 'ignored'
      from generate_series(0, 29999) n`;
    await sql`analyze events, integrations`;
    const [row] = await sql<{ service_id: string }[]>`
      select service_id from integrations where id = ${id}`;
    const span = { organizationId, serviceId: row?.service_id ?? '' };
    const [from, until] = [now.add({ seconds: 5_000 }), now.add({ seconds: 9_000 })];
    const limits = { events: 20, bytes: 1_000 };
    const { answered, pages } = await sql.begin(async (tx) => {
      const before = await pagesRead(tx, 'events');
      const answered = await changesOf(tx, { ...span, from, until }, limits);
      return { answered, pages: (await pagesRead(tx, 'events')) - before };
    });
    assert.equal(answered.more, true);
    assert.deepEqual(
      answered.events.map(({ received_at }) => received_at.since(from).total('seconds')),
      Array.from({ length: 20 }, (_one, index) => 4_000 - 100 * index),
    );
    assert.ok(pages <= 60, `${pages} pages`);
  }));
