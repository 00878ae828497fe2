// What each tool sends opens an incident and ends it, through a whole server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../src/alerts/alert.ts';
import { tools } from '../../src/alerts/index.ts';
import { isObject } from '../../src/alerts/text.ts';
import { anyDatabase } from '../database.ts';
import {
  alertsIn,
  changedIn,
  jsonIn,
  ofStatus,
  pairs,
  publishedSamples,
  type Sample,
  sending,
} from '../tool-samples.ts';
import { signed, startSns } from '../vendors/sns.ts';
import { request } from './api-client.ts';
import { type InProcess, startInProcess } from './in-process.ts';

let pager: InProcess;
let stack: AsyncDisposableStack;
/** By slug. */
const hooks = new Map<string, { readonly id: string; readonly url: string }>();

before(async () => {
  stack = new AsyncDisposableStack();
  const sns = stack.use(await startSns());
  pager = stack.use(
    await startInProcess(await anyDatabase(), { PAGER_VENDOR_URLS: `sns=${sns.url}` }),
  );
  const [{ service_id, escalation_policy_id }] = await pager.api.list('integrations');
  for (const { slug } of tools) {
    // Each alert by itself, whatever its tool groups.
    const grouping = { by: [] };
    const fields = { slug, service_id, escalation_policy_id, name: slug, grouping };
    const { id, webhook_url } = await pager.api.create('integrations', fields);
    hooks.set(slug, { id, url: `${pager.url}${new URL(webhook_url).pathname}` });
  }
});

after(() => stack.disposeAsync());

/** As its tool sends it, to the address of its integration. */
async function send(sample: Sample): Promise<void> {
  const { type, file, request: sent } = sample;
  const { headers, contentType, query, path, body } = sent;
  const { 'content-length': _, host: _host, ...others } = headers;
  const url = hooks.get(type.slug)?.url ?? '';
  // What clients of Opsgenie send says in its path what it is about.
  const [own = '/push-events'] = type.slug.startsWith('opsgenie')
    ? (/\/v2\/.*$/.exec(path) ?? [])
    : [];
  const to = url.replace('/push-events', own);
  const { status, body: answer } = await request(query === '' ? to : `${to}?${query}`, {
    method: 'POST',
    headers: { ...others, 'content-type': contentType },
    body: Buffer.from(body),
  });
  assert.equal(status, type.status ?? 202, `${file} ${JSON.stringify(answer)}`);
}

/** Signed by who signs here, and of what Prometheus itself sends, not to end in the past. */
function asSentNow(sample: Sample): Sample {
  const json = jsonIn(sample.request);
  if (isObject(json) && 'TopicArn' in json)
    return sending(sample, JSON.stringify(signed(json)), sample.request.contentType);
  return sample.status === 'firing' && Array.isArray(json)
    ? changedIn(sample, withoutEnds)
    : sample;
}

const withoutEnds = (json: Json): Json =>
  Array.isArray(json)
    ? json.map((alert) =>
        isObject(alert) && 'endsAt' in alert ? { ...alert, endsAt: '2099-01-01T00:00:00Z' } : alert,
      )
    : json;

/** The statuses of the incidents that a sample is about. */
async function statusesOf(sample: Sample): Promise<readonly string[]> {
  const { id } = hooks.get(sample.type.slug) ?? {};
  const rows = await pager.sql<{ key: string; status: string }[]>`
    select dedup_key as key, status from incidents
    where source_integration_id = ${id ?? ''} order by number desc`;
  return alertsIn(sample).map(
    ({ dedup_key }) => rows.find(({ key }) => key === dedup_key)?.status ?? 'none',
  );
}

async function titlesOf({ type }: Sample): Promise<readonly string[]> {
  const { id } = hooks.get(type.slug) ?? {};
  const rows = await pager.sql<{ title: string }[]>`
    select title from incidents where source_integration_id = ${id ?? ''} order by number`;
  return rows.map(({ title }) => title);
}

async function latestOutcome({ type }: Sample): Promise<string> {
  const { id } = hooks.get(type.slug) ?? {};
  const { body } = await pager.api.send(`GET /integrations/${id}/events?limit=1`);
  return body.data[0]?.outcome;
}

/** The first of its problem among the samples of our own; the others of it say the same again. */
const isFirst = (sample: Sample): boolean =>
  publishedSamples.some(({ file }) => file === sample.file) ||
  repeatsOf(sample).every(({ file }) => file !== sample.file);

const ownFiring = ofStatus('firing').filter((sample) => !publishedSamples.includes(sample));

/** All samples of our own of the same problem but the first. */
const repeatsOf = ({ type, problem }: Sample): readonly Sample[] =>
  ownFiring.filter((one) => one.type === type && one.problem === problem).slice(1);

/** Each alone, so that none closes what another one is to close. */
const firing = ofStatus('firing').filter(isFirst).map(asSentNow);
const ends = ofStatus('resolved').map(asSentNow);

test('what ends before it began is taken and ignored, whoever sends it', async () => {
  for (const sample of ends) {
    await send(sample);
    assert.equal(await latestOutcome(sample), 'ignored', sample.file);
    assert.ok(
      (await statusesOf(sample)).every((status) => status === 'none'),
      sample.file,
    );
  }
});

test('what each tool sends opens an incident, and what it sends at the end resolves it', async () => {
  for (const sample of firing) {
    await open(sample);
    for (const repeat of repeatsOf(sample)) {
      const { length } = await titlesOf(sample);
      await open(asSentNow(repeat));
      assert.equal((await titlesOf(sample)).length, length, repeat.file);
    }
    for (const [index, end] of endsOf(sample).entries()) {
      if (index > 0) await open(sample);
      const titles = await titlesOf(sample);
      await send(end);
      const ended = await statusesOf(end);
      assert.ok(
        ended.every((status) => status === 'resolved'),
        `${sample.file} ${end.file} ${ended}`,
      );
      // It says how the problem ended, and not what it was.
      assert.deepEqual(await titlesOf(sample), titles, end.file);
    }
  }
});

async function open(sample: Sample): Promise<void> {
  await send(sample);
  const statuses = await statusesOf(sample);
  assert.ok(statuses.includes('triggered'), `${sample.file} ${statuses}`);
  assert.ok(!statuses.includes('none'), `${sample.file} ${statuses}`);
}

const endsOf = ({ file }: Sample): readonly Sample[] =>
  pairs
    .filter((pair) => pair.firing.file === file)
    .flatMap(({ resolved }) => ends.filter((end) => end.file === resolved.file));
