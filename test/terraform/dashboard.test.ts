// What people change, archive and restore by hand, as the next plan sees it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedRecords } from '../../src/terraform/managed.ts';
import type { Existing } from '../any-fields.ts';
import { fullyConfigured, withoutNulls } from './any-configuration.ts';
import { existingIn, literal, type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const password = 'correct horse battery';

describe('changes by hand', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let existing: Existing;
  before(async () => {
    at = await startTerraform({ PAGER_BOOTSTRAP_PASSWORD: password });
    existing = await existingIn(at);
  });
  after(() => at[Symbol.asyncDispose]());

  test('each attribute that is changed by hand is in the next plan, alone', async () => {
    const cases = managedRecords.flatMap((one) => {
      const attributes = fullyConfigured(one, existing);
      const whole = Object.fromEntries(attributes.map(({ name, value }) => [name, value]));
      return attributes.map(({ name, other }) => ({ one, name, whole, other }));
    });
    const blocks = cases.map(({ one, name, whole }) => ({
      [one.typeName]: { [name]: literal(whole) },
    }));
    await at.configure({ resource: blocks });
    await at.apply();
    const state = await at.state();
    for (const { one, name, whole, other } of cases) {
      const id = state.get(`${one.typeName}.${name}`)?.['id'];
      const line = `PUT /${one.resource.route}/${id}`;
      const { status, body } = await at.server.api.send(
        line,
        withoutNulls({ ...whole, [name]: other }),
      );
      assert.equal(status, 200, JSON.stringify(body));
    }
    const changes = await at.changes();
    assert.deepEqual(
      changes.map(({ address }) => address).sort(),
      cases.map(({ one, name }) => `${one.typeName}.${name}`).sort(),
    );
    for (const { address, actions, attributes } of changes)
      assert.deepEqual([actions, ...attributes], ['update', address.split('.')[1]], address);
    await at.apply('planned');
    assert.deepEqual(await at.changes(), []);
  });

  test('what is restored before the next apply is managed as before', async () => {
    const state = await at.state();
    const firsts = managedRecords.flatMap((one) => {
      const address = `${one.typeName}.name`;
      return [{ address, record: `/${one.resource.route}/${state.get(address)?.['id']}` }];
    });
    for (const { record } of firsts) await at.server.api.send(`DELETE ${record}`);
    const planned = await at.changes();
    assert.deepEqual(
      planned.map(({ address, actions }) => [address, actions]).sort(),
      firsts.map(({ address }) => [address, 'create']).sort(),
    );
    const restore = await signedIn();
    for (const { record } of firsts) await restore(record);
    assert.deepEqual(await at.changes(), []);
  });

  test('a schedule that has ended, or has turns with nobody, is told at refresh and import', async () => {
    const [user] = existing['user'] ?? [];
    const rotation = { length: 1, unit: 'weeks' };
    const schedule = (name: string) => ({ name, layers: [{ users: [user], rotation }] });
    const cases = {
      ended: {
        layer: { ends_at: '2026-01-31T09:00:00Z' },
        warning: /"ended" has ended: .* Layer 1 ended at 2026-01/,
      },
      ending: { layer: { ends_at: '2999-01-31T09:00:00Z' }, warning: /Layer 1 ends at 2999-01-31/ },
      later: {
        layer: { starts_at: '2999-01-31T09:00:00Z' },
        warning: /Layer 1 starts only at 2999/,
      },
      begun: { layer: { starts_at: '2026-01-31T09:00:00Z' }, warning: null },
      gaps: { layer: { users: [user, null] }, warning: /Layer 1 has turns with nobody/ },
    };
    const window = { from_day: 'monday', from_time: '08:00', to_day: 'friday', to_time: '22:00' };
    const hours = { uncovered_by_design: [window] };
    const lifecycle = { ignore_changes: ['layers'] };
    const pager_oncall_schedule = Object.fromEntries(
      Object.keys(cases).map((name) => [name, { ...schedule(name), lifecycle }]),
    );
    await at.forget();
    await at.configure({ resource: { pager_oncall_schedule } });
    await at.apply();
    const state = await at.state();
    for (const [name, { layer, warning }] of Object.entries(cases)) {
      const address = `pager_oncall_schedule.${name}`;
      const id = String(state.get(address)?.['id']);
      const layers = [{ users: [user], rotation, ...layer }];
      const { status } = await at.server.api.send(`PATCH /on-calls/${id}`, { layers, ...hours });
      assert.equal(status, 200);
      const plan = await at.succeeds('plan', '-detailed-exitcode', `-target=${address}`);
      await at.succeeds('state', 'rm', address);
      const texts = [plan, await at.succeeds('import', address, id)];
      for (const text of texts.map((one) => one.replace(/\s+/g, ' ')))
        if (warning === null) assert.doesNotMatch(text, /Layer/);
        else assert.match(text, warning);
    }
    const renamed = { ...schedule('renamed'), lifecycle };
    await at.configure({ resource: { pager_oncall_schedule: { begun: renamed } } });
    await at.apply();
    const id = (await at.state()).get('pager_oncall_schedule.begun')?.['id'];
    const { body } = await at.server.api.send(`GET /on-calls/${id}`);
    assert.deepEqual([body.name, body.uncovered_by_design], ['renamed', [window]]);
    await at.succeeds('destroy', '-auto-approve');
  });

  /** Restoring is for people alone. */
  async function signedIn() {
    const { url } = at.server;
    const origin = { origin: url, 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'owner@example.test', password });
    const answer = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers: origin, body });
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    const { csrf_token } = JSON.parse(await answer.text());
    const headers = { ...origin, cookie: cookies.join('; '), 'x-csrf-token': csrf_token };
    return async (record: string) => {
      const path = `${url}/api/v1${record}/restore`;
      const { status } = await fetch(path, { method: 'POST', headers, body: '{}' });
      assert.equal(status, 200);
    };
  }
});
