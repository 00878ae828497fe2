// A vendor that the product does not have, by its folder (here: this file) and its lines alone: it posts to
// rooms, edits what it posted, lists its rooms, and calls Pager in every way that a vendor may.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chats, Connection, Send, Vendor } from '../../src/channels/vendor.ts';
import type { Poll, Way } from '../../src/engine/listening/listen.ts';
import type { Notice } from '../../src/notices/notice.ts';
import type { CallbackReader, Replied } from '../../src/replies/callback.ts';
import type { Inbound, Reply, VendorAccount } from '../../src/replies/inbound.ts';
import type { Vendor as Declaration } from '../../src/resources/connections/vendor.ts';
import { text } from '../../src/resources/declaration/field.ts';
import { anyDatabase } from '../database.ts';

const declaration: Declaration = {
  vendor: 'parrot',
  title: 'Parrot',
  doc: 'A chat for tests.',
  channels: ['discord'],
  channelsOf: () => ['discord'],
  receive: 'callbacks',
  settings: { cage: text({ doc: 'The name of the cage.' }) },
  secrets: { seed: text({ doc: 'Its secret.', sensitive: true }) },
  check: [],
  rooms: { idIn: (typed) => /^perch-\d+$/.exec(typed)?.[0] ?? null, unpostable: 'has no perch' },
  manifest: { wings: 2 },
  accountAt: 'settings.cage',
  accountIdOf: ({ settings }) => String(settings['cage']),
};

type Post = { readonly room: string; readonly notice: Notice; readonly handle: string | undefined };

/** What the vendor has. */
const posts: Post[] = [];
const edits: Notice[] = [];
const checked: string[] = [];
const answered: Reply[] = [];
const polled: Inbound[] = [];

const account = ({ id }: Pick<Connection, 'id'>): VendorAccount => ({
  connectionId: id,
  vendorName: 'Parrot',
  vendorUserName: 'Polly',
  confirmedEmail: async () => ({ email: 'owner@example.test' }),
});

const send: Send = {
  discord: ({ connectionsOf }) => ({
    threads: true,
    async send(notice, room, attempt) {
      const [connection] = await connectionsOf(notice.organization.id);
      if (connection === undefined) return { outcome: 'failed', reason: 'no parrot is there' };
      posts.push({ room, notice, handle: attempt?.handle });
      const messageId = String(posts.length);
      return {
        outcome: 'handed_over',
        connectionId: connection.id,
        vendorId: messageId,
        receiptWithinSeconds: 60,
        posted: { connectionId: connection.id, place: room, messageId },
      };
    },
    async show(notice) {
      edits.push(notice);
      return { outcome: 'delivered' };
    },
  }),
};

const chats: Chats = {
  list: async () => ({
    channels: [{ id: 'perch-1', name: 'perch', isPrivate: false }],
    nextPage: null,
  }),
  find: async (_way, _connection, id) =>
    id === 'perch-2' ? { id, name: 'cage', isPrivate: true } : null,
};

type Sent = { readonly later?: boolean; readonly inbounds: readonly Inbound[] };

const callbacks = (): CallbackReader<Connection> => ({
  takesGet: true,
  async read({ method, url, headers, body }, { secrets, ...connection }) {
    if (method === 'GET')
      return {
        answer: {
          status: 200,
          contentType: 'text/plain',
          body: new URL(url).searchParams.get('challenge') ?? '',
        },
      };
    // As a key that has to be fetched first.
    const seed = await Promise.resolve(secrets['seed']);
    if (headers['x-seed'] !== seed) return { refused: 'its seed is wrong' };
    const { later = false, inbounds }: Sent = JSON.parse(body.toString());
    const read = inbounds.map(
      (one): Inbound => (one.type === 'press' ? { ...one, account: account(connection) } : one),
    );
    return later ? { inbounds: read, isDeferred: true } : { inbounds: read };
  },
  answer: (replied: readonly Replied[]) => ({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify(replied.map(({ reply }) => reply?.text ?? null)),
  }),
  async respond({ reply }) {
    answered.push(reply);
    return null;
  },
});

const listen: Vendor['listen'] = ({ receive, open }): Way => ({
  kind: 'poll',
  async poll(listened, from, signal): Promise<Poll> {
    const inbound = polled.shift();
    const connection = await open(listened);
    if (inbound === undefined || connection === null) {
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      return { ok: true, updates: [] };
    }
    const { organization_id: organizationId } = connection;
    const handle = async () =>
      void answered.push(
        await receive({ organizationId, channel: 'discord', connection }, inbound),
      );
    return { ok: true, updates: [{ number: from, handle, giveUp: async () => undefined }] };
  },
});

const parrot: Vendor = {
  declaration,
  baseUrl: 'https://parrot.test',
  async check(_way, { settings }) {
    checked.push(String(settings['cage']));
    return { checks: [{ name: 'seed', ok: true, message: 'It sings.' }], account: 'Polly' };
  },
  send,
  callbacks,
  listen,
  chats,
};

/** The lines that add it, instead of who serves its channel here. What reads the lists is loaded after that. */
async function startPager(stack: AsyncDisposableStack) {
  const { vendors: declarations } = await import('../../src/resources/connections/vendors.ts');
  const { vendors } = await import('../../src/channels/vendors.ts');
  replace(declarations, ({ channels }) => channels, declaration);
  replace(vendors, (one) => one.declaration.channels, parrot);
  const { startInProcess } = await import('../system/in-process.ts');
  return stack.use(await startInProcess(await anyDatabase(), {}));
}

function replace<One>(list: readonly One[], channelsOf: (one: One) => readonly string[], by: One) {
  const others = list.filter((one) => !channelsOf(one).includes('discord'));
  (list as One[]).splice(0, list.length, ...others, by);
}

test('a new vendor is its folder, and a line in each of two lists', async () => {
  await using stack = new AsyncDisposableStack();
  const pager = await startPager(stack);
  const { eventually } = await import('../system/eventually.ts');
  const { api } = pager;
  polled.push({ type: 'command', address: 'polly', text: 'help', eventId: 'poll 1' });
  const connection = await api.create('channel-connections', {
    name: 'Our parrot',
    vendor: 'parrot',
    settings: { cage: 'large' },
    secrets: { seed: 'hemp' },
  });
  assert.deepEqual(connection.channels, ['discord']);
  const test = await api.send(`POST /channel-connections/${connection.id}/test`, {});
  assert.deepEqual(test.body.checks, [{ name: 'seed', ok: true, message: 'It sings.' }]);
  assert.ok(checked.includes('large'));
  const manifest = await api.send(`GET /channel-connections/${connection.id}/manifest`);
  assert.deepEqual(manifest.body, { wings: 2 });
  await eventually('a command is answered', () =>
    answered.some((one) => /pager who/.test(one?.text ?? '')),
  );

  const names = async (search: string) =>
    (await api.send(`GET /chat-channels?via=discord&search=${search}`)).body.data.map(
      ({ name }: { readonly name: string }) => name,
    );
  await eventually('its rooms are read', async () => (await names('perch')).includes('#perch'));
  assert.deepEqual(await names('perch-2'), ['#cage']);

  const service = await api.create('services', { name: 'Shop' });
  const steps = [
    { targets: [{ via: 'discord', channel_id: 'perch-1' }], escalate_after_minutes: 30 },
  ];
  const policy = await api.create('escalation-policies', { name: 'Parrots', steps });
  const opened = await api.create('incidents', {
    title: 'Out of seed',
    service_id: service.id,
    escalation_policy_id: policy.id,
  });
  await eventually('it is posted', () => posts.length === 1);
  const [post] = posts;
  assert.ok(post?.notice.about === 'incident' && post.handle !== undefined);
  assert.equal(post.room, 'perch-1');

  const at = `${pager.url}/callbacks/discord/${connection.id}`;
  const challenge = await fetch(`${at}?challenge=abc`);
  assert.deepEqual([challenge.status, await challenge.text()], [200, 'abc']);
  const call = async (body: Sent, seed = 'hemp') => {
    const headers = { 'content-type': 'application/json', 'x-seed': seed };
    const answer = await fetch(at, { method: 'POST', headers, body: JSON.stringify(body) });
    const read: unknown = await answer.json();
    const replies: readonly (string | null)[] = Array.isArray(read) ? read : [];
    return { status: answer.status, replies };
  };
  assert.equal((await call({ inbounds: [] }, 'wrong')).status, 401);

  const receipt = {
    type: 'receipt',
    handle: post.handle,
    vendorId: '1',
    receipt: { state: 'delivered', reason: '', blame: null },
  } as const;
  const unknown = { type: 'press', address: 'polly', handle: 'x', eventId: 'press 1' } as const;
  const [nothing, notOurs] = (await call({ inbounds: [receipt, unknown] })).replies;
  assert.equal(nothing, null);
  assert.match(notOurs ?? '', /This button no longer works/);
  await eventually('its receipt is known', async () => {
    const { body } = await api.send(`GET /incidents/${opened.id}/notices`);
    return body.data[0]?.state === 'sent';
  });

  const { acknowledge = '' } = post.notice.handles ?? {};
  const pressed = {
    type: 'press',
    address: 'polly',
    handle: acknowledge,
    eventId: 'press 2',
    message: { place: 'perch-1', messageId: '1' },
  } as const;
  assert.deepEqual((await call({ later: true, inbounds: [pressed] })).replies, []);
  await eventually('the press is answered', () =>
    answered.some((one) => /^Acknowledged/.test(one?.text ?? '')),
  );
  assert.equal((await api.send(`GET /incidents/${opened.id}`)).body.status, 'acknowledged');
});
