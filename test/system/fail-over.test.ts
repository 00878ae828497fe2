// A person with two telephones, of which one is never answered: the page goes on at the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

const [unanswered, answered] = ['+4915112345678', '+4930765432'] as const;

async function start(stack: AsyncDisposableStack) {
  const twilio = stack.use(await startFakeTwilio());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), { PAGER_VENDOR_URLS: `twilio=${twilio.url}` }),
  );
  const { api, sql } = pager;
  await api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      from_sms: twilio.number,
      allowed_prefixes: ['+49'],
      calls_per_second: 10,
      messages_per_second: 10,
    },
  });
  const person = await api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  for (const [index, number] of [unanswered, answered].entries())
    await sql`
      insert into contacts
        (organization_id, id, user_id, channel, address, position, verified_at, created_at)
      select organization_id, ${String(index).repeat(24)}, id, 'phone', ${number}, ${index + 1},
        now(), now()
      from users where id = ${person.id}`;
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'phone', user_id: person.id }] }];
  assert.equal((await api.send(`PATCH /escalation-policies/${policy.id}`, { steps })).status, 200);
  const trigger = async () => {
    const [integration] = await api.list('integrations');
    await postJson(integration.webhook_url, { title: 'Disk full' });
  };
  const texts = async (): Promise<string[]> => {
    const [incident] = await api.list('incidents');
    const { body } = await api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
    // How long it took is not known here.
    return body.data.map(({ text }: { text: string }) => text.replace(/ after \d+ (s|min)\b/, ''));
  };
  const acknowledged = async () => (await api.list('incidents'))[0]?.status === 'acknowledged';
  return { twilio, pager, api, trigger, texts, acknowledged };
}

test('a telephone that nobody answers is called twice, then the next, whose key acknowledges', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager, trigger, texts, acknowledged } = await start(stack);
  twilio.setHabit(unanswered, { type: 'no_answer' });
  twilio.setHabit(answered, { type: 'presses', keys: ['4'] });
  await trigger();
  const hasEntry = (text: string) => async () => (await texts()).some((one) => one.endsWith(text));
  await eventually('the end of the first call', hasEntry('reached nobody by Twilio: no answer'));
  await pager.pass({ minutes: 1 });
  await eventually('the acknowledgement', acknowledged);
  await twilio.settled();

  assert.deepEqual(twilio.calls.map(({ to }) => to).toReversed(), [
    unanswered,
    unanswered,
    answered,
  ]);
  const page = 'The page to Ada Example by phone';
  assert.deepEqual(
    (await texts()).filter((text) => /no answer|with a key|acknowledged/.test(text)),
    [
      `${page} reached nobody by Twilio: no answer`,
      `${page} reached nobody by Twilio: no answer`,
      `${page} did not arrive at …5678: no answer; …5432 is tried next`,
      'Ada Example acknowledged, so nobody else is paged',
      `${page} was answered with a key at …5432 by Twilio`,
    ],
  );
});

test('a number that Twilio refuses for a reason that is not known is called once, then the next', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, api, trigger, texts, acknowledged } = await start(stack);
  twilio.setHabit(unanswered, { type: 'refused', status: 400, code: 21999 });
  twilio.setHabit(answered, { type: 'presses', keys: ['4'] });
  await trigger();
  await eventually('the acknowledgement', acknowledged);
  const requested = twilio.requests.filter(({ operation }) => operation === 'POST /Calls.json');
  assert.deepEqual(
    requested.map(({ fields }) => fields['To']),
    [unanswered, answered],
  );
  const { body } = await api.send('GET /channel-connections');
  assert.equal(body.data[0].health.state, 'ok', 'the next call shows that it works');
  assert.ok((await texts()).some((text) => /21999.*; …5432 is tried next$/.test(text)));
});
