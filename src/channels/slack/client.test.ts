import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownBlock, LogLevel, WebClient } from '@slack/web-api';
import { type FakeSlack, startFakeSlack } from '../../../test/vendors/slack.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { slackPostOf } from '../../notices/slack-post.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createSlackClient, type SlackResult } from './client.ts';

const channel = 'C0123ABCD';
const { request } = createVendorHttp();

const ours = ({ url, botToken, appToken }: FakeSlack) =>
  createSlackClient({ baseUrl: url, botToken, appToken, request });

/** The vendor’s library, led to the fake. */
const theirs = ({ url, botToken }: FakeSlack) =>
  new WebClient(botToken, {
    slackApiUrl: `${url}/`,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 0 },
  });

function resultOf<Result>(answer: SlackResult<Result>): Result {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.result;
}

test('requests are those of the vendor’s library', async () => {
  // Slack takes a post a second in a channel.
  let seconds = 0;
  await using fake = await startFakeSlack(() => {
    seconds += 1;
    return Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  });
  fake.addChannel(channel);
  fake.addUser('U0ADA', { email: 'ada@example.com' });
  const [client, sdk] = [ours(fake), theirs(fake)];
  resultOf(await client.authTest());
  await sdk.auth.test();
  const handles = { acknowledge: 'a1', resolve: 'r1', escalate: 'e1', webhook: 'w1' };
  const post = slackPostOf(sampleNotice({ handles, mention: '@here' }), (verb) => `${verb} 1`);
  const { text } = post;
  // What the library takes it may change.
  const blocks = structuredClone(post.blocks) as KnownBlock[];
  const unfurl = { unfurl_links: false, unfurl_media: false };
  const sent = resultOf(await client.postMessage(channel, post));
  await sdk.chat.postMessage({ channel, text, blocks, ...unfurl });
  const { ts } = sent;
  resultOf(await client.postMessage(channel, post, { ts, isShownInChannel: true }));
  await sdk.chat.postMessage({
    channel,
    text,
    blocks,
    ...unfurl,
    thread_ts: ts,
    reply_broadcast: true,
  });
  resultOf(await client.update(sent, post));
  await sdk.chat.update({ channel, ts, text, blocks });
  resultOf(await client.userInfo('U0ADA'));
  await sdk.users.info({ user: 'U0ADA' });
  resultOf(await client.channelInfo(channel));
  await sdk.conversations.info({ channel });
  fake.addChannel('C0000OTHER');
  fake.pageBy(1);
  const { next } = resultOf(await client.listChannels(null));
  assert.ok(next);
  const types = 'public_channel,private_channel';
  const { limit } = fake.calls.at(-1)?.parameters ?? {};
  const page = { types, exclude_archived: true, limit: Number(limit) };
  await sdk.conversations.list(page);
  resultOf(await client.listChannels(next));
  await sdk.conversations.list({ ...page, cursor: next });
  const calls = [...fake.calls];
  assert.equal(calls.length, 16);
  while (calls.length > 0) {
    const [one, other] = calls.splice(0, 2);
    assert.deepEqual(one, other);
  }
});
