import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { cacheFor } from '../../../test/configuration.ts';
import { trialApi } from '../../../test/trial-api.ts';
import type { Configuration } from '../../incidents/configuration.ts';
import { textOf } from '../../resources/declaration/field.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import { recipientKeyByFingerprint, recipientKeyOf } from '../../storage/outbox/recipient-key.ts';
import { packed, unpacked } from '../../workers/clone.ts';
import type { RpcClient } from '../../workers/rpc.ts';
import { configurationOf } from './configuration-cache.ts';
import { type ConfigurationMethods, configurationMethods } from './configuration-methods.ts';

type Trial = Awaited<ReturnType<typeof trialApi>>;

const now = Temporal.Instant.from('2026-03-04T09:30:00Z');
const url = 'https://chat.test/hush';
const chat = { via: 'slack', channel_name: '#ops', webhook_url: url };

/** As a thread reads it, with the questions it asks and the text of all that it is told. */
async function asThread({ sql, world }: Trial, from = now) {
  const { organizationId } = world;
  const parts = { sql, configurations: cacheFor('email', 'slack'), secrets: testSecrets };
  const methods = configurationMethods(parts, { organizationId, from, now });
  const questions: string[] = [];
  const heard: unknown[] = [];
  const call = async (name: keyof ConfigurationMethods) => {
    questions.push(name);
    const answer = structuredClone(packed(await methods[name](null)));
    heard.push(answer);
    return unpacked(answer);
  };
  const configuration = await configurationOf(call as RpcClient<ConfigurationMethods>);
  return { configuration, questions: new Set(questions), heard: readable(heard) };
}

const readable = (value: unknown) =>
  JSON.stringify(value, (_name, one: unknown) => {
    if (one instanceof Map || one instanceof Set) return [...one];
    return typeof one === 'bigint' ? String(one) : one;
  });

const stepsOf = ({ policies }: Configuration, id: string) => policies.get(id)?.steps ?? [];

test('a thread reads all records once, and again when something has changed', async () => {
  await using at = await trialApi();
  const first = await asThread(at);
  assert.deepEqual(first.questions, new Set(['head', 'records', 'schedules']));
  const again = await asThread(at);
  assert.deepEqual(again.questions, new Set(['head', 'schedules']));
  assert.deepEqual(again.configuration, first.configuration);
  const steps = [{ targets: [{ via: 'email', user_id: at.lin }] }];
  assert.equal((await at.send(`PATCH /escalation-policies/${at.policy}`, { steps })).status, 200);
  const { configuration, questions } = await asThread(at);
  assert.deepEqual(questions, first.questions);
  assert.deepEqual(stepsOf(configuration, at.policy)[0]?.targets[0]?.user_id, at.lin);
});

test('a thread has all that is saved, and of what is sealed only what tells it apart', async () => {
  await using at = await trialApi();
  const chats = { name: 'Chat', steps: [{ targets: [chat, chat, { ...chat, mention: '@all' }] }] };
  const id = await at.make('escalation-policies', chats);
  const { organizationId } = at.world;
  const parts = { ...at, configurations: cacheFor('email', 'slack') };
  const saved = (await readConfiguration(parts, { organizationId, from: now, now })).configuration;
  const { configuration, heard } = await asThread(at);
  const addressesIn = (known: Configuration) =>
    stepsOf(known, id).flatMap(({ targets }) => targets.flatMap((one) => one.webhook_url ?? []));
  const [sealed, hidden] = [addressesIn(saved), addressesIn(configuration)];
  const recipientKeys = sealed.map((address) =>
    recipientKeyOf(
      { secrets: testSecrets },
      { organization_id: organizationId, channel: 'slack', address },
    ),
  );
  assert.deepEqual(
    hidden.map((address) => recipientKeyByFingerprint({ channel: 'slack', address })),
    recipientKeys,
  );
  assert.equal(new Set(recipientKeys).size, 1);
  for (const secret of [url, ...sealed.map(textOf)]) assert.equal(heard.includes(secret), false);
  const without = ({ policies, ...others }: Configuration) => others;
  assert.deepEqual(without(configuration), without(saved));
  assert.deepEqual(configuration.policies.get(at.policy), saved.policies.get(at.policy));
});

test('an address that does not open keeps no story from being told', async () => {
  await using at = await trialApi();
  const id = await at.make('escalation-policies', { name: 'Chat', steps: [{ targets: [chat] }] });
  const place = '{0,targets,0,webhook_url,sealed}';
  await at.sql`
    update escalation_policies set steps = jsonb_set(steps::jsonb, ${place}, '"v2:hush"')
    where id = ${id}`;
  const { configuration, heard } = await asThread(at);
  assert.equal(stepsOf(configuration, id).length, 1);
  assert.equal(heard.includes('v2:hush'), false);
});
