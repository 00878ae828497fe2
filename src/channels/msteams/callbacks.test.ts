// What Teams calls Pager with is proved before anything is read of it.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { type Forgery, startFakeTeams } from '../../../test/vendors/msteams.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { CallbackRead } from '../../replies/callback.ts';
import type { CalledConnection } from '../vendor.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { teamsCallbacks } from './callbacks.ts';

const team = '19:team@thread.tacv2';
const channel = '19:ops@thread.tacv2';
const ada = '29:ada';
const adaId = 'bbbbbbbb-0000-4000-8000-000000000001';

async function start(stack: AsyncDisposableStack) {
  let now = noon;
  const clock = { now: () => now };
  const teams = stack.use(await startFakeTeams(clock.now));
  teams.addTeam(team, 'Shop', { [team]: 'General', [channel]: 'ops' });
  teams.addPerson(ada, { objectId: adaId, name: 'Ada', email: 'ada@acme.test' });
  const connection: CalledConnection = {
    organization_id: 'o1',
    id: 'c1',
    name: 'bot',
    vendor: 'msteams',
    settings: { app_id: teams.appId, tenant_id: teams.tenantId, link_by_email: true },
    secrets: { client_secret: teams.clientSecret },
    replacedSecrets: {},
  };
  const reader = teamsCallbacks({
    baseUrl: teams.url,
    http: createVendorHttp({ totalTimeoutMs: 5_000 }),
    clock,
  });
  const reads: CallbackRead[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const { headers } = request;
      const url = 'https://pager.test/callbacks/msteams/c1';
      const called = { method: 'POST', channel: 'msteams', url, headers, body } as const;
      const read = await reader.read(called, connection);
      reads.push(read);
      response.statusCode = 'refused' in read ? 401 : 'answer' in read ? read.answer.status : 202;
      response.end();
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  stack.defer(() => void server.close());
  teams.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = { conversation: `${channel};messageid=42`, id: '42', isReply: false, edits: 0 };
  const button = {
    title: 'Acknowledge',
    verb: 'acknowledge',
    data: { handle: 'a1' },
    isInMenu: false,
  };
  const shown = { summary: '', shown: '', links: [], choices: [], mentions: [], refresh: null };
  const press = async (forgery?: Forgery) => {
    const { status } = await teams.press(
      ada,
      { ...page, ...shown, buttons: [button] },
      button.title,
      forgery,
    );
    const read = reads.at(-1);
    return { status, why: read && 'refused' in read ? read.refused : '' };
  };
  const pass = (seconds: number) => {
    now = now.add({ seconds });
  };
  return { teams, press, reads, pass, reader, connection };
}

test('a press that Teams has signed is read, with who pressed what on which message', async () => {
  await using stack = new AsyncDisposableStack();
  const { press, reads, teams } = await start(stack);
  assert.equal((await press()).status, 202);
  const [read] = reads;
  assert.ok(read && 'inbounds' in read);
  const [inbound] = read.inbounds;
  assert.ok(inbound?.type === 'press');
  assert.deepEqual(
    [inbound.address, inbound.handle, inbound.message],
    [adaId, 'a1', { place: `${channel};messageid=42`, messageId: '42', room: channel }],
  );
  assert.deepEqual(await inbound.account?.confirmedEmail(), { email: 'ada@acme.test' });
  assert.equal(teams.keysRead(), 1, 'the keys are kept');
  await press();
  assert.equal(teams.keysRead(), 1);
});

const seconds = Math.floor(noon.epochMilliseconds / 1_000);
const others = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const unsigned = (header: object) =>
  `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.AAAA`;
const forgeries: Readonly<Record<string, readonly [Forgery, RegExp]>> = {
  'signed with a key of somebody else': [{ key: others.privateKey }, /signature/],
  'without a token': [{ token: '' }, /no bearer token/],
  'without a token, whatever it says': [
    { token: '', activity: { type: 'message', conversation: null } },
    /no bearer token/,
  ],
  'whose token is not one': [{ token: 'abc' }, /no bearer token/],
  'whose token is too long': [{ claims: { more: 'x'.repeat(8_192) } }, /no bearer token/],
  'without a signature': [{ token: unsigned({ alg: 'none', kid: 'key-1' }) }, /RS256/],
  'signed with a shared secret': [{ token: unsigned({ alg: 'HS256', kid: 'key-1' }) }, /RS256/],
  'of another issuer': [{ claims: { iss: 'https://sts.windows.net/x/' } }, /issuer/],
  'for another bot': [{ claims: { aud: '99999999-2222-4333-8444-555555555555' } }, /another bot/],
  'that has expired': [{ claims: { exp: seconds - 301 } }, /expired/],
  'without an end': [{ claims: { exp: undefined } }, /expired/],
  'of the future': [{ claims: { nbf: seconds + 301 } }, /not valid yet/],
  'for another service URL': [
    { claims: { serviceurl: 'https://smba.trafficmanager.net/emea/' } },
    /service URL/,
  ],
  'without a service URL': [{ claims: { serviceurl: undefined } }, /service URL/],
  'whose body names another service URL': [
    { activity: { serviceUrl: 'https://evil.example/' }, claims: {} },
    /service URL does not belong to Microsoft/,
  ],
  'of another channel': [{ activity: { channelId: 'webchat' } }, /not sign for Microsoft Teams/],
  'of another tenant': [
    {
      activity: {
        conversation: { id: channel, conversationType: 'channel', tenantId: 'another-tenant' },
      },
    },
    /another tenant/,
  ],
  'that is no activity': [{ activity: { conversation: null } }, /not an activity/],
};
for (const [what, [forgery, why]] of Object.entries(forgeries))
  test(`a request ${what} is refused`, async () => {
    await using stack = new AsyncDisposableStack();
    const { press } = await start(stack);
    const answer = await press(forgery);
    assert.equal(answer.status, 401);
    assert.match(answer.why, why);
  });

test('the clocks may differ by five minutes', async () => {
  await using stack = new AsyncDisposableStack();
  const { press } = await start(stack);
  assert.equal((await press({ claims: { exp: seconds - 299 } })).status, 202);
  assert.equal((await press({ claims: { nbf: seconds + 299 } })).status, 202);
});

test('a new key is read when it signs, and unknown ones do not have the keys read each time', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, press, pass } = await start(stack);
  assert.equal((await press()).status, 202);
  for (const kid of ['x1', 'x2', 'x3'])
    assert.match((await press({ header: { kid }, key: others.privateKey })).why, /unknown key/);
  assert.equal(teams.keysRead(), 1, 'within a minute');
  pass(sendingLimits.teamsKeysPause);
  teams.rotateKey();
  assert.equal((await press()).status, 202);
  assert.equal(teams.keysRead(), 2);
  assert.match((await press({ header: { kid: 'key-1' } })).why, /unknown key/, 'one that is gone');
});

test('after a day the keys are read again, and one that Microsoft has withdrawn is not known', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, press, pass } = await start(stack);
  await press();
  pass(24 * 3_600);
  await press();
  assert.equal(teams.keysRead(), 2);
});

test('while the keys cannot be read, Teams is asked to try again', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, press, pass } = await start(stack);
  teams.failKeys(1);
  assert.equal((await press()).status, 503);
  assert.equal((await press()).status, 503, 'they are not read again at once');
  assert.equal(teams.keysRead(), 1);
  pass(sendingLimits.teamsKeysPause);
  assert.equal((await press()).status, 202);
});

const people: Readonly<Record<string, readonly [object, string | null]>> = {
  'a member': [{}, 'ada@acme.test'],
  'a guest': [{ userPrincipalName: 'ada_evil.example#EXT#@acme.test' }, null],
  'somebody whom the roster calls a guest': [{ userRole: 'guest' }, null],
  'somebody of another tenant': [{ tenantId: 'cccccccc-bbbb-4ccc-8ddd-eeeeeeeeeeee' }, null],
};
for (const [who, [person, email]] of Object.entries(people))
  test(`the e-mail address of ${who} is ${email === null ? 'not ' : ''}trusted`, async () => {
    await using stack = new AsyncDisposableStack();
    const { teams, press, reads } = await start(stack);
    const known = { objectId: adaId, name: 'Ada', email: 'ada@acme.test' };
    teams.addPerson(ada, { ...known, ...person });
    await press();
    const read = reads.at(-1);
    assert.ok(read && 'inbounds' in read);
    const [inbound] = read.inbounds;
    assert.ok(inbound?.type === 'press');
    assert.deepEqual(await inbound.account?.confirmedEmail(), { email });
  });

test('somebody whom Teams does not name now may try again', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, press, reads } = await start(stack);
  await press();
  const read = reads.at(-1);
  assert.ok(read && 'inbounds' in read && read.inbounds[0]?.type === 'press');
  teams.misbehave('GET /v3/conversations', { type: 'broken' });
  const email = await read.inbounds[0].account?.confirmedEmail();
  assert.ok(email && 'unsaid' in email);
});

test('a message is a command only where it mentions the bot, or is for it alone', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, reads } = await start(stack);
  await teams.mention(ada, { teamId: team, channelId: channel }, 'ack 42 on it');
  const read = reads.at(-1);
  assert.ok(read && 'inbounds' in read && 'isDeferred' in read);
  assert.deepEqual(
    read.inbounds.map((one) => (one.type === 'command' ? one.text : one.type)),
    ['joined', 'ack 42 on it'],
  );
  await teams.write(ada, 'who');
  const written = reads.at(-1);
  assert.ok(written && 'inbounds' in written);
  assert.deepEqual(
    written.inbounds.map((one) => one.type),
    ['command'],
  );
});

test('of a message with many mentions, a bounded part is read', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, press, reads } = await start(stack);
  const mention = (text: string) => ({
    type: 'mention',
    text,
    mentioned: { id: `28:${teams.appId}`, name: 'Pager' },
  });
  const names = Array.from(
    { length: sendingLimits.teamsMentions + 1 },
    (_, at) => `<at>${at}</at>`,
  );
  const written = async (text: string) => {
    const entities = names.map(mention);
    assert.equal((await press({ activity: { type: 'message', text, entities } })).status, 202);
    const read = reads.at(-1);
    const command =
      read && 'inbounds' in read ? read.inbounds.find(({ type }) => type === 'command') : undefined;
    return command?.type === 'command' ? command.text : undefined;
  };
  assert.equal(await written(`${names.join('')} who`), `${names.at(-1)} who`);
  const padding = ' '.repeat(4 * sendingLimits.chatCommand);
  assert.equal(await written(`${padding}who`), '');
});

test('that the bot was added or removed is stored before Teams is answered', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, reads } = await start(stack);
  for (const what of ['added', 'removed'] as const) {
    await teams.report(what, team);
    const read = reads.at(-1);
    assert.ok(read && 'inbounds' in read && !('isDeferred' in read));
  }
});
