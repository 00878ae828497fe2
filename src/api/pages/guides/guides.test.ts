import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { testSecrets as secrets } from '../../../../test/api.ts';
import { startRecordsApi } from '../../../../test/records-api.ts';
import { integrationTypes } from '../../../alerts/index.ts';
import { systemClock } from '../../../engine/clock.ts';
import { createIds } from '../../../engine/ids.ts';
import { escaped } from '../../../notices/words/html.ts';
import type { Role } from '../../../resources/roles.ts';
import { createRecords } from '../../../storage/records/records.ts';
import { mountGuides } from './routes.ts';

after(() => at[Symbol.asyncDispose]());
const at = await startRecordsApi();
const { sql, world, make, api, key } = at;
const app = Fastify();
mountGuides(app, {
  types: integrationTypes,
  records: createRecords({ sql, secrets, ids: createIds(systemClock) }),
  async identify({ headers }) {
    const role = headers['x-role'] as Role | undefined;
    return role === undefined ? null : world.caller({ role });
  },
  publicUrl: 'https://pager.example.com',
  addresses: { hooksUrl: 'https://pager.example.com/hooks', emailDomain: 'in.example.com' },
});
const service_id = await make('services', { name: 's' });
const used = { service_id, escalation_policy_id: await at.policy() };
const id = await make('integrations', { ...used, slug: 'grafana', name: 'Shop <b>' });
await make('integrations', { ...used, slug: 'grafana' });
const { token, counter } = (await api.send(key, `GET /integrations/${id}`)).body;

async function read(url: string, role?: Role) {
  const headers = role === undefined ? {} : { 'x-role': role };
  const { statusCode: status, body, headers: answered } = await app.inject({ url, headers });
  return { status, body, policy: String(answered['content-security-policy']) };
}

const ownUrl = `https://pager.example.com/hooks/${token}/push-events`;
const anyUrl = 'https://pager.example.com/hooks/&lt;token&gt;/push-events';

test('the list has every type, each with a page that runs no script', async () => {
  const list = await read('/docs/integrations');
  for (const { slug, name, description } of integrationTypes) {
    assert.ok(list.body.includes(`href="/docs/integrations/${slug}"`), slug);
    const { status, body, policy } = await read(`/docs/integrations/${slug}`);
    assert.equal(status, 200);
    assert.match(body, /<ol>\n<li>/);
    assert.ok(body.includes(escaped(name)) && body.includes(escaped(description)), slug);
    assert.doesNotMatch(body, /<script|\{url\}|\{email\}/);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /script-src/);
  }
});

test('the list is searched by names, also those that other services use', async () => {
  const linked = async (text: string) => {
    const { body } = await read(`/docs/integrations?q=${encodeURIComponent(text)}`);
    return [...body.matchAll(/<a href="\/docs\/integrations\/([\w-]+)"/g)].map(([, slug]) => slug);
  };
  assert.deepEqual(await linked('  KUMA uptime '), ['uptime-kuma']);
  assert.deepEqual(await linked('grafana_alerting'), ['grafana']);
  assert.deepEqual(await linked('no such tool'), ['webhook', 'email']);
  const { body } = await read('/docs/integrations?q=%22%3E%3Cscript%3E');
  assert.ok(body.includes('value="&quot;&gt;&lt;script&gt;"'));
});

test('a type that is unknown is answered with 404 and the list', async () => {
  const { status, body } = await read('/docs/integrations/%3Cb%3E');
  assert.equal(status, 404);
  assert.ok(body.includes('There is no integration type &lt;b&gt;.'));
  assert.ok(body.includes('href="/docs/integrations/webhook"'));
});

test('without a session there are placeholders, no names, and the way to sign in', async () => {
  const { body } = await read(`/docs/integrations/grafana?integration=${id}`);
  assert.ok(body.includes(`<code>${anyUrl}</code>`));
  assert.ok(body.includes(`/sign-in?next=%2Fdocs%2Fintegrations%2Fgrafana%3Fintegration%3D${id}`));
  assert.ok(!body.includes('Shop') && !body.includes(token));
});

test('a manager chooses an integration, by id or counter, and finds its addresses in the steps', async () => {
  const { body: before } = await read('/docs/integrations/grafana', 'manager');
  assert.ok(before.includes(`<a href="/docs/integrations/grafana?integration=${id}">`));
  assert.ok(before.includes(anyUrl) && !before.includes(token));
  for (const wanted of [id, counter]) {
    const { body } = await read(`/docs/integrations/grafana?integration=${wanted}`, 'manager');
    assert.ok(body.includes(`<code>${ownUrl}</code>`));
    assert.ok(body.includes(`url: &quot;${ownUrl}&quot;`));
    assert.ok(body.includes(`<code>${token}@in.example.com</code>`));
    assert.ok(body.includes(`curl -X POST &#39;${ownUrl}&#39;`));
    assert.ok(body.includes('<bdi>Shop &lt;b&gt;</bdi>') && body.includes('grafana integration 2'));
  }
});

test('below manager integrations are named, and no address is shown', async () => {
  for (const role of ['viewer', 'responder'] as const) {
    const { body } = await read(`/docs/integrations/grafana?integration=${id}`, role);
    assert.ok(body.includes('Shop &lt;b&gt;') && body.includes(anyUrl));
    assert.ok(body.includes('Only managers and above can see'));
    assert.ok(!body.includes(token));
  }
});

test('an integration of another type, an unknown and an archived one are not chosen', async () => {
  const gone = await make('integrations', { ...used, slug: 'grafana', name: 'Gone' });
  await api.send(key, `DELETE /integrations/${gone}`);
  for (const [slug, wanted] of [
    ['webhook', id],
    ['grafana', 'f'.repeat(24)],
    ['grafana', gone],
    ['grafana', '%27'],
  ]) {
    const { status, body } = await read(
      `/docs/integrations/${slug}?integration=${wanted}`,
      'owner',
    );
    assert.equal(status, 200);
    assert.match(body, /<p role="alert">This integration does not exist/);
    assert.ok(body.includes(anyUrl) && !body.includes(token));
  }
});

test('a type has its logo, or two letters of its name', async () => {
  const { body } = await read('/docs/integrations/grafana');
  assert.match(body, /<svg class="logo" [^>]+><path d="M[^"]+"\/><\/svg><span>Grafana</);
  assert.match((await read('/docs/integrations/webhook')).body, /<span class="logo".*?>We</);
});

test('what is no step is a note below the configuration, which has the address of the server', async () => {
  const { body } = await read('/docs/integrations/prometheus');
  assert.match(
    body,
    /<\/ol>[\s\S]*scheme: https\n[\s\S]*&#39;pager\.example\.com&#39;[\s\S]*<h2>Notes<\/h2>\n<ul>/,
  );
});
