// What an action would do is what it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';

type Foreseen = {
  readonly action: string;
  readonly result: string;
  readonly reason?: string;
  readonly text: string;
  readonly notices: readonly { person?: string; deliverable: boolean }[];
  readonly all_clear: boolean;
};

async function startActions(pager: Pager) {
  const api = await seedIncidents(pager);
  const on = await pager.integration({ steps: [pager.step('ada', 10), pager.step('lin')] });
  await pager.trigger(on, { title: 'three' });
  await pager.work();
  const send = (request: string, body?: object) => api.send(callerOf(pager), request, { body });
  return {
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
    send,
    async foreseen(): Promise<ReadonlyMap<string, Foreseen>> {
      const { status, body } = await send('GET /incidents/3/actions');
      assert.equal(status, 200, JSON.stringify(body));
      return new Map(body.data.map((one: Foreseen) => [one.action, one]));
    },
    /** Does it; answers what followed, beside the action itself. */
    async follows(action: string): Promise<string> {
      const { body: before } = await send('GET /incidents/3/timeline?order=desc&limit=1');
      const { status, body } = await send(`POST /incidents/3/${action}`, {});
      assert.equal(status, 200, JSON.stringify(body));
      const { body: after } = await send(
        `GET /incidents/3/timeline?cursor=${before.data[0].cursor}`,
      );
      const texts = after.data.map(({ text }: { text: string }) => `${text}.`);
      return texts.slice(1).join(' ');
    },
  };
}

test('actions that page foresee whom, and those that page nobody say so', () =>
  withPager(async (pager) => {
    await using api = await startActions(pager);
    for (const [action, names] of [
      ['escalate', ['lin Example']],
      ['acknowledge', []],
      ['unacknowledge', ['ada Example']],
      ['mute', []],
      // The page of the new round has waited for that.
      ['unmute', ['ada Example']],
      ['resolve', []],
      ['reopen', ['ada Example']],
    ] as const) {
      const foreseen = (await api.foreseen()).get(action);
      assert.equal(foreseen?.result, 'done', action);
      assert.deepEqual(
        foreseen.notices.map(({ person }) => person),
        names,
        action,
      );
      assert.equal(foreseen.all_clear, action === 'resolve');
      assert.equal(await api.follows(action), foreseen.text, action);
    }
  }));

test('escalating says first that it ends an acknowledgement', () =>
  withPager(async (pager) => {
    await using api = await startActions(pager);
    const text = async () => (await api.foreseen()).get('escalate')?.text;
    const before = await text();
    await pager.does(3, { type: 'acknowledge' });
    assert.equal(await text(), `This ends the acknowledgement. ${before}`);
    await api.send('POST /incidents/3/escalate', {});
    const { body } = await api.send('GET /incidents/3/timeline');
    const escalated = body.data.find(({ type }: { type: string }) => type === 'escalated');
    assert.match(escalated.text, / escalated, which ended the acknowledgement$/);
  }));

test('an action that is refused now has the reason that it would be refused with', () =>
  withPager(async (pager) => {
    await using api = await startActions(pager);
    const results = async () =>
      [...(await api.foreseen()).values()].map(({ action, result }) => `${action} ${result}`);
    assert.deepEqual(await results(), [
      ...['acknowledge done', 'unacknowledge unchanged', 'escalate done', 'resolve done'],
      ...['reopen refused', 'mute done', 'unmute unchanged'],
    ]);
    await pager.does(3, { type: 'resolve' });
    assert.deepEqual(await results(), [
      ...['acknowledge refused', 'unacknowledge refused', 'escalate refused', 'resolve unchanged'],
      ...['reopen done', 'mute refused', 'unmute refused'],
    ]);
    const refused = await api.send('POST /incidents/3/mute', {});
    assert.equal(
      refused.body.message,
      `The action was refused: ${(await api.foreseen()).get('mute')?.reason}.`,
    );
    await pager.at('09:30');
    await pager.sql`update incidents set dedup_key = 'one', source_integration_id =
      (select source_integration_id from incidents where number = 1) where number = 3`;
    assert.equal(
      (await api.foreseen()).get('reopen')?.reason,
      'another incident with the same key is open',
    );
  }));

test('one incident is read with its names, and with what happens next to it', () =>
  withPager(async (pager) => {
    await using api = await startActions(pager);
    const { body: plain } = await api.send('GET /incidents/3');
    assert.deepEqual([plain.names, plain.next], [undefined, undefined]);
    const { body } = await api.send('GET /incidents/3?include=names,next');
    const { body: next } = await api.send('GET /incidents/3/next');
    assert.deepEqual(body.next, next.data[0]);
    assert.equal(body.names[body.service_id], 'Shop');
    assert.equal(typeof body.names[body.escalation_policy_id], 'string');
  }));
