import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields, withSlug } from '../../../test/any-fields.ts';
import { startClient } from '../../../test/client.ts';
import { queryLimits } from '../../limits/queries.ts';
import { records } from '../../resources/index.ts';

const prod = { tool: 'terraform', workspace: 'prod' };
const headers = { 'x-managed-by': 'terraform/prod' };

test('whoever manages a record says so when it writes; the writes of others leave that', async () => {
  await using at = await startClient();
  const { api, key } = at;
  const admin = at.world.caller({ kind: 'session', role: 'admin' });
  for (const resource of records) {
    const path = `/${resource.route}`;
    const [sample = {}] = fc.sample(anyFields(resource, at.existing), { numRuns: 1, seed: 7 });
    const body = withSlug(resource, sample);
    const send = async (request: string, sent: object = {}, by = key) => {
      const answer = await api.send(by, request, sent);
      assert.ok(answer.status < 300, `${request}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };

    const made = await send(`POST ${path}`, { body, headers });
    assert.deepEqual(made.managed_by, prod);
    const one = `${path}/${made.id}`;
    assert.deepEqual((await send(`GET ${one}`)).managed_by, prod);
    const byHand = await send(`POST ${path}`, { body: { ...body, managed_by: prod } });
    assert.equal('managed_by' in byHand, false);
    const { data } = await send(`GET ${path}?managed_by=terraform`);
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [made.id],
    );

    const patched = await send(`PATCH ${one}`, { body: { name: 'by hand' } });
    assert.deepEqual(patched.managed_by, prod);
    const put = await send(`PUT ${one}`, { body: { ...patched, managed_by: null } });
    assert.deepEqual(put.managed_by, prod);
    await send(`DELETE ${one}`);
    const restored = await send(`POST ${one}/restore`, {}, admin);
    assert.deepEqual(restored.managed_by, prod);

    const other = { 'x-managed-by': 'terraform' };
    const taken = await send(`PATCH ${one}`, { body: {}, headers: other });
    assert.deepEqual(taken.managed_by, { tool: 'terraform' });
    const released = await send(`PATCH ${one}`, { body: { managed_by: null } });
    assert.deepEqual([released.managed_by, released.version], [undefined, 7]);
    const log = await send(`GET /audit-log?record_id=${made.id}&limit=2`, {}, admin);
    assert.deepEqual(
      log.data.map((entry: Entry) => [entry.before.managed_by, entry.after.managed_by]),
      [
        [taken.managed_by, undefined],
        [prod, taken.managed_by],
      ],
    );
  }
});

test('a clone is managed by whoever makes it', async () => {
  await using at = await startClient();
  const { api, key, ada } = at;
  const layers = [{ users: [ada], rotation: { length: 1, unit: 'weeks' } }];
  const made = await api.send(key, 'POST /on-calls', { body: { name: 's', layers }, headers });
  const path = `/on-calls/${made.body.id}/clone`;
  const [by, alone] = [
    await api.send(key, `POST ${path}`, { headers }),
    await api.send(key, `POST ${path}`),
  ];
  assert.deepEqual([by.body.managed_by, alone.body.managed_by], [prod, undefined]);
  const { paths } = (await api.app.inject('/openapi.json')).json();
  const documented = paths['/on-calls/{id}/clone'].post.parameters;
  assert.ok(documented.some(({ name }: { name: string }) => name === 'x-managed-by'));
});

type Entry = Record<'before' | 'after', { readonly managed_by: unknown }>;

test('a patch that a thread reads removes it too', async () => {
  await using at = await startClient();
  const { api, key, ada } = at;
  const targets = Array.from({ length: 1_500 }, () => ({ via: 'email', user_id: ada }));
  const body = { name: 'p', steps: [{ targets }] };
  const made = await api.send(key, 'POST /escalation-policies', { body, headers });
  assert.deepEqual(made.body.managed_by, prod);
  const released = { ...body, managed_by: null };
  const one = `/escalation-policies/${made.body.id}`;
  const patched = await api.send(key, `PATCH ${one}`, { body: released });
  assert.deepEqual([patched.status, patched.body.managed_by], [200, undefined]);
});

test('what the header says is refused if it is nothing of the kind', async () => {
  await using at = await startClient();
  const { api, key } = at;
  const long = 'w'.repeat(queryLimits.workspaceLength);
  const longest = { 'x-managed-by': `terraform/${long}` };
  const made = await api.send(key, 'POST /services', { body: { name: 's' }, headers: longest });
  assert.equal(made.body.managed_by.workspace, long);
  for (const text of [
    '',
    'pulumi',
    'Terraform',
    'terraform/',
    'terraform/a b',
    `terraform/${long}w`,
  ]) {
    const sent = { body: { name: 'other' }, headers: { 'x-managed-by': text } };
    const answer = await api.send(key, `PATCH /services/${made.body.id}`, sent);
    assert.deepEqual([answer.status, answer.body.error], [400, 'unreadable'], text);
    assert.match(
      answer.body.message,
      /^x-managed-by must (look like terraform, or terraform\/|have at most 265 characters)/,
    );
  }
  const query = await api.send(key, 'GET /services?managed_by=pulumi');
  assert.deepEqual([query.status, query.body.issues[0].path], [422, 'managed_by']);
});
