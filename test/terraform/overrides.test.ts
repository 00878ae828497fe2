// Overrides of schedules, which end by themselves: the provider's calls, and the real Terraform.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf, type State, warningsOf } from './core.ts';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const type = 'pager_override';
const [start, end] = ['2034-12-31T18:00:00+01:00', '2035-01-01T09:00:00+01:00'];
const rotation = { length: 1, unit: 'weeks' };

const idOf = ({ value }: State) => String(fieldOf(value, 'id'));

describe('an override', () => {
  const core = new Core();
  let server: InProcess;
  let user_id: string;
  let oncall_schedule_id: string;
  let counter: number;
  before(async () => {
    server = await startInProcess(await anyDatabase(), {});
    await core.configure({ api_key: inProcessKey, base_url: `${server.url}/api/v1` });
    [{ id: user_id }] = await server.api.list('users');
    ({ id: oncall_schedule_id, counter } = await schedule());
  });
  after(() => server[Symbol.asyncDispose]());

  const schedule = () =>
    server.api.create('on-calls', { name: 'Support', layers: [{ users: [user_id], rotation }] });
  const config = () => ({ oncall_schedule_id, user_id, start, end, comment: 'Holiday' });
  const path = (made: State) => `/on-calls/${oncall_schedule_id}/overrides/${idOf(made)}`;
  /** As time alone would have it. */
  const finish = (made: State) => server.sql`
    update oncall_overrides set start_at = ${Temporal.Instant.from('2020-01-01T00:00Z')},
      end_at = ${Temporal.Instant.from('2020-01-02T00:00Z')} where id = ${idOf(made)}`;
  const finished = { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' };

  test('it is created, read with its times as they are written, and has nothing left to do', async () => {
    const made = await core.make(type, config());
    assert.deepEqual(await core.read(type, made), { state: made, diagnostics: [] });
    assert.equal((await core.plan(type, config(), made)).isChange, false);
  });

  test('it is changed where it is, and what is not configured any more goes', async () => {
    const made = await core.make(type, config());
    const { comment: _comment, ...others } = { ...config(), start: '2034-12-31T00:00:00Z' };
    const changed = await core.make(type, others, made);
    assert.deepEqual(changed.value, { ...(made.value as object), ...others, comment: null });
    assert.deepEqual(await core.read(type, changed), { state: changed, diagnostics: [] });
  });

  test('it is removed, and removing it again is fine', async () => {
    const made = await core.make(type, config());
    for (const _time of [1, 2]) assert.equal((await core.make(type, null, made)).value, null);
    assert.equal((await server.api.send(`GET ${path(made)}`)).status, 404);
  });

  test('one that somebody removed is gone, with a word about it', async () => {
    const made = await core.make(type, config());
    await server.api.send(`DELETE ${path(made)}`);
    const { state, diagnostics } = await core.read(type, made);
    assert.equal(state.value, null);
    assert.match(warningsOf(diagnostics).join(), /is not found/);
  });

  test('a change by hand since the plan is not overwritten', async () => {
    const made = await core.make(type, config());
    const planned = await core.plan(type, { ...config(), comment: 'Terraform’s' }, made);
    const ending = await core.plan(type, null, made);
    await server.api.send(`PATCH ${path(made)}`, { comment: 'By hand' });
    for (const each of [planned, ending]) {
      const { state, diagnostics } = await core.apply(type, each, made);
      assert.deepEqual(state, made);
      assert.match(errorsOf(diagnostics).join(), /changed in the dashboard since the plan/);
    }
    assert.equal((await server.api.send(`GET ${path(made)}`)).body.comment, 'By hand');
  });

  test('it is imported by its schedule, which may be named by its counter', async () => {
    const made = await core.make(type, config());
    for (const owner of [oncall_schedule_id, counter]) {
      const { state, diagnostics } = await core.import(type, `${owner}/${idOf(made)}`);
      assert.deepEqual(diagnostics, []);
      assert.equal(fieldOf(state.value, 'oncall_schedule_id'), oncall_schedule_id);
      const inUtc = { start: '2034-12-31T17:00:00.000Z', end: '2035-01-01T08:00:00.000Z' };
      assert.equal((await core.plan(type, { ...config(), ...inUtc }, state)).isChange, false);
    }
    const missing = await core.import(type, `${counter}/${'f'.repeat(24)}`);
    assert.match(errorsOf(missing.diagnostics).join(), /is not found/);
    const unreadable = await core.import(type, idOf(made));
    assert.match(
      errorsOf(unreadable.diagnostics).join(),
      /must have the form <oncall_schedule_id>\/<id>/,
    );
  });

  test('another schedule replaces it', async () => {
    const made = await core.make(type, config());
    const { id } = await schedule();
    const planned = await core.plan(type, { ...config(), oncall_schedule_id: id }, made);
    assert.equal(planned.replaces, true);
  });

  test('one that is over has nothing left to do, is imported, and its removal is nothing', async () => {
    const made = await core.make(type, config());
    await finish(made);
    const { state, diagnostics } = await core.read(type, made);
    assert.deepEqual(diagnostics, []);
    const over = { ...config(), ...finished };
    assert.deepEqual(await core.validate(type, over), []);
    assert.equal((await core.plan(type, over, state)).isChange, false);
    const imported = await core.import(type, `${oncall_schedule_id}/${idOf(made)}`);
    assert.equal((await core.plan(type, over, imported.state)).isChange, false);
    assert.equal((await core.make(type, null, state)).value, null);
    assert.equal((await server.api.send(`GET ${path(made)}`)).status, 200, 'the past stays');
  });

  test('one that is over is never changed: another takes its place', async () => {
    const made = await core.make(type, config());
    await finish(made);
    const { state } = await core.read(type, made);
    const next = await core.plan(type, { ...config(), start }, state);
    assert.equal(next.replaces, true);
  });

  test('it ends with its schedule', async () => {
    const { id } = await schedule();
    const made = await core.make(type, { ...config(), oncall_schedule_id: id });
    await server.api.send(`DELETE /on-calls/${id}`);
    const { state, diagnostics } = await core.read(type, made);
    assert.deepEqual([state, diagnostics], [made, []]);
    assert.equal((await core.make(type, null, made)).value, null);
  });

  test('what is wrong is told at its place', async () => {
    const same = await core.validate(type, { ...config(), replaces_user_id: user_id });
    assert.match(errorsOf(same).join(), /replaces_user_id must be a different person than user_id/);
    const early = await core.validate(type, { ...config(), end: start });
    assert.match(errorsOf(early).join(), /end must be after start/);
  });
});

test('Terraform makes, changes, imports and removes an override', {
  skip: noTerraform ?? false,
}, async () => {
  await using at: RunningTerraform = await startTerraform();
  const owner = { owner: { email: 'owner@example.test' } };
  const user = '${data.pager_user.owner.id}';
  const configured = (fields: object) =>
    at.configure({
      data: { pager_user: owner },
      resource: {
        pager_oncall_schedule: {
          support: { name: 'Support', layers: [{ users: [user], rotation }] },
        },
        pager_override: {
          holiday: {
            oncall_schedule_id: '${pager_oncall_schedule.support.id}',
            user_id: user,
            start,
            end,
            ...fields,
          },
        },
      },
    });
  await configured({});
  await at.apply();
  assert.deepEqual(await at.changes(), []);
  await configured({ comment: 'Holiday' });
  const [change, ...others] = await at.changes();
  assert.deepEqual([change?.actions, change?.attributes, others], ['update', ['comment'], []]);
  await at.apply('planned');
  assert.deepEqual(await at.changes(), []);
  const state = await at.state();
  const { id, oncall_schedule_id } = state.get('pager_override.holiday') ?? {};
  await at.succeeds('state', 'rm', 'pager_override.holiday');
  await configured({
    comment: 'Holiday',
    start: '2034-12-31T17:00:00Z',
    end: '2035-01-01T08:00:00Z',
  });
  await at.succeeds('import', 'pager_override.holiday', `${oncall_schedule_id}/${id}`);
  assert.deepEqual(await at.changes(), []);
  await at.succeeds('destroy', '-auto-approve');
  const answer = await at.server.api.send(`GET /on-calls/${oncall_schedule_id}/overrides/${id}`);
  assert.equal(answer.status, 404);
});
