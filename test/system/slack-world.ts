// A Slack app of a workspace on a whole server, whose first policy pages a channel there.
import assert from 'node:assert/strict';
import { anyDatabase } from '../database.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

export const channel = 'C0123ABCD';
export const ada = 'U0ADA';
export const password = 'correct horse battery';
export async function startWithSlack(stack: AsyncDisposableStack) {
  const slack = stack.use(await startFakeSlack());
  slack.addChannel(channel);
  slack.addUser(ada, { email: 'Owner@Example.test' });
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `slack=${slack.url}`,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Slack of Acme',
    vendor: 'slack',
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  await slack.connected();
  return { slack, pager, connection };
}

export type World = Awaited<ReturnType<typeof startWithSlack>>;

export async function savePolicy({ pager }: World, steps: readonly object[]) {
  const [policy] = await pager.api.list('escalation-policies');
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  return saved.body.warnings ?? [];
}

export const pagesTo = (world: World, ...targets: object[]) =>
  savePolicy(world, [{ targets: targets.map((target) => ({ via: 'slack', ...target })) }]);

export async function page(world: World, title: string) {
  assert.deepEqual(await pagesTo(world, { channel_id: channel, mention: '@channel' }), []);
  return alert(world, title);
}

export async function alert({ slack, pager }: World, title: string) {
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
  const posted = () => slack.messages.find(({ shown }) => shown.includes(title));
  await eventually('the post', () => posted() !== undefined);
  const message = posted();
  assert.ok(message);
  return message;
}

export const firstIncident = async ({ pager }: World) => (await pager.api.list('incidents')).at(-1);

/** Of the entries of that type on the first incident. */
export async function textsOf(world: World, wanted: string): Promise<readonly string[]> {
  const { id } = await firstIncident(world);
  const { body } = await world.pager.api.send(`GET /incidents/${id}/timeline?limit=200`);
  return (body.data as readonly { type: string; text: string }[])
    .filter(({ type }) => type === wanted)
    .map(({ text }) => text);
}
