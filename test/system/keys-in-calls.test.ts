// What keys do in a call that was answered: one call reads out several incidents of its person.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type SentCallback, startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

const number = '+4915112345678';
/** A person whom both steps of the only policy call. */
async function start(stack: AsyncDisposableStack, role = 'responder') {
  const twilio = stack.use(await startFakeTwilio());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), { PAGER_VENDOR_URLS: `twilio=${twilio.url}` }),
  );
  await pager.api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      allowed_prefixes: ['+49'],
      calls_per_second: 10,
    },
  });
  const person = await pager.api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role,
  });
  await pager.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'1'.repeat(24)}, id, 'phone', ${number}, now(), now()
    from users where id = ${person.id}`;
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via: 'phone', user_id: person.id }];
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 60 }, { targets }],
  });
  const [integration] = await pager.api.list('integrations');
  /** With titles that name none of the others. */
  const open = async (titles: readonly string[]) => {
    for (const title of titles) await postJson(integration.webhook_url, { title });
    const isPaged = async () => {
      const rows = await pager.sql`select from outbox where channel = 'phone'`;
      return rows.length >= titles.length;
    };
    await eventually('the pages', isPaged);
  };
  /** Somebody takes the only call that rings. */
  const pickUp = async () => {
    const call = await eventually('a call', () =>
      twilio.calls.find(({ status }) => status === 'queued'),
    );
    await twilio.ring(call.sid);
    return twilio.answer(call.sid);
  };
  const incidents = async () =>
    new Map<string, { id: string; status: string }>(
      (await pager.api.list('incidents')).map((one) => [one.title, one]),
    );
  const statusOf = async (title: string) => (await incidents()).get(title)?.status;
  const timelineOf = async (title: string) => {
    const id = (await incidents()).get(title)?.id;
    const { body } = await pager.api.send(`GET /incidents/${id}/timeline?limit=200`);
    return body.data as readonly { type: string; text: string }[];
  };
  const noticesOf = async (title: string) => {
    const id = (await incidents()).get(title)?.id;
    const { body } = await pager.api.send(`GET /incidents/${id}/notices`);
    return body.data as readonly {
      state: string;
      attempts: readonly { outcome: string; receipt?: { state: string } }[];
    }[];
  };
  const pages = () => pager.sql<{ state: string; attempts: number }[]>`
    select state, attempts from outbox where channel = 'phone' order by created_at`;
  return { twilio, pager, person, open, pickUp, statusOf, timelineOf, noticesOf, pages };
}

const titles = ['Disk', 'Cache', 'Queue'] as const;
const titleIn = (spoken: string) => titles.find((title) => spoken.includes(`${title}.`));

const resend = (url: string, { fields, signature }: SentCallback) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    },
    body: new URLSearchParams(fields).toString(),
  });

test('three incidents are one call, and what was not answered is called anew', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, open, pickUp, statusOf, timelineOf, noticesOf, pages } = world;
  await open(titles);
  const phone = await pickUp();
  assert.equal(Number(twilio.calls[0]?.fields['TimeLimit']), 600);
  const first = titleIn(phone.hear());
  assert.ok(first);
  assert.equal(await phone.press('4'), true);
  assert.equal(await phone.press('6'), false, 'the next incident is not read out yet');
  assert.match(phone.hear(), /^Acknowledged: .+ Next incident\.$/);
  const heard = phone.hear();
  assert.doesNotMatch(heard, /This is Pager/);
  const second = titleIn(heard);
  assert.ok(second && second !== first);
  assert.equal(await phone.press('*'), true);
  assert.equal(titleIn(phone.hear()), second);
  assert.equal(await phone.press('6'), true);
  assert.match(phone.hear(), /^Resolved: .+ Next incident\.$/);
  phone.hear();
  const third = titles.find((title) => title !== first && title !== second);
  assert.ok(third && phone.heard.at(-1)?.includes(third));
  assert.deepEqual(await Promise.all([first, second, third].map(statusOf)), [
    ...['acknowledged', 'resolved', 'triggered'],
  ]);

  // All of it again, the last first: each key has acted once, on what was read out then.
  const before = await timelineOf(second);
  for (const sent of twilio.callbacks.toReversed())
    assert.equal((await resend(sent.url, sent)).status, 200);
  assert.deepEqual(await timelineOf(second), before);
  assert.ok(
    before.some(
      ({ type, text }) => type === 'notice_sent' && /a key in another call by Twilio$/.test(text),
    ),
  );
  const [notice] = await noticesOf(second);
  assert.ok(notice);
  const [attempt, ...others] = notice.attempts;
  assert.deepEqual([notice.state, attempt?.outcome, others], ['sent', 'delivered', []]);
  assert.equal(attempt?.receipt?.state, 'acted');
  const elsewhere = twilio.callbacks.findLast(({ fields }) => fields['Digits'] === '6');
  assert.ok(elsewhere);
  const forged = await twilio.forge(elsewhere.url, { ...elsewhere.fields, Digits: '9' });
  assert.equal(forged.status, 401);

  // For longer than a key keeps a telephone busy whose call ends.
  await pager.pass({ minutes: 1 });
  await pager.calm();
  assert.equal(twilio.calls.length, 1, 'nothing calls who is in a call');
  await phone.hangUp();
  const again = await pickUp();
  assert.equal(titleIn(again.hear()), third);
  assert.equal(await again.press('4'), true);
  await again.listen();
  assert.match(again.heard.at(-2) ?? '', /^Acknowledged: /);
  assert.equal(again.heard.at(-1), 'Goodbye.');
  assert.deepEqual(
    (await pages()).map(({ state, attempts }) => [state, attempts]),
    titles.map(() => ['sent', 1]),
  );
  assert.equal(twilio.calls.length, 2);
});

test('what escalates in a call is not read out there again', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, open, pickUp, timelineOf, pages } = await start(stack);
  await open(['Disk', 'Cache']);
  const phone = await pickUp();
  const first = titleIn(phone.hear());
  await phone.press('9');
  assert.match(phone.hear(), /^Escalated: .+ Next incident\.$/);
  const second = titleIn(phone.hear());
  assert.ok(first && second && first !== second);
  await phone.press('9');
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Escalated: /);
  assert.equal(phone.heard.at(-1), 'Goodbye.');
  for (const title of [first, second]) {
    const escalated = (await timelineOf(title)).filter(({ type }) => type === 'escalated');
    assert.equal(escalated.length, 1);
  }
  // The next step calls the same person.
  const again = await pickUp();
  assert.ok(titleIn(again.hear()));
  assert.deepEqual((await pages()).map(({ state }) => state).sort(), [
    ...['pending', 'pending', 'sent', 'sent'],
  ]);
  assert.equal(twilio.calls.length, 2);
});

test('a key escalates from where its incident was when it was read out', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, person, open, pickUp, timelineOf, pages } = await start(stack);
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via: 'phone', user_id: person.id }];
  const steps = Array.from({ length: 3 }, () => ({ targets, escalate_after_minutes: 60 }));
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  await open(['Disk', 'Cache']);
  const phone = await pickUp();
  const first = titleIn(phone.hear());
  const second = first === 'Disk' ? 'Cache' : 'Disk';
  const incident = (await pager.api.list('incidents')).find(({ title }) => title === second);
  await pager.api.send(`POST /incidents/${incident.id}/escalate`, {});
  await phone.press('4');
  phone.hear();
  assert.equal(titleIn(phone.hear()), second);
  await phone.press('9');
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Escalated: /);
  const escalated = (await timelineOf(second)).filter(({ type }) => type === 'escalated');
  assert.equal(escalated.length, 2);
  // Of the first two steps none is called any more, of the third one is.
  assert.deepEqual((await pages()).map(({ state }) => state).sort(), [
    ...['pending', 'sent', 'sent', 'sent'],
  ]);
});

test('key 9 escalates from a page of a playbook', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, person, pickUp, statusOf, timelineOf } = await start(stack);
  const [policy] = await pager.api.list('escalation-policies');
  const mail = [{ targets: [{ via: 'email', user_id: person.id }], escalate_after_minutes: 60 }];
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps: [...mail, ...mail] });
  const playbook = await pager.api.create('playbooks', {
    name: 'Call Ada',
    actions: [{ type: 'pagePerson', user_id: person.id, via: 'phone' }],
  });
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title: 'Disk' });
  const incident = await eventually('the incident', async () =>
    (await pager.api.list('incidents')).at(0),
  );
  const ran = await pager.api.send(`POST /incidents/${incident.id}/run-playbook`, {
    playbook_id: playbook.id,
  });
  assert.equal(ran.status, 200);
  const phone = await pickUp();
  assert.equal(titleIn(phone.hear()), 'Disk');
  assert.equal(await phone.press('9'), true);
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Escalated: /);
  assert.equal(await statusOf('Disk'), 'triggered');
  const escalated = (await timelineOf('Disk')).filter(({ type }) => type === 'escalated');
  assert.equal(escalated.length, 1);
});

test('key 9 in a second call escalates from where its incident is by then', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager, person, open, pickUp, timelineOf } = await start(stack);
  const [policy] = await pager.api.list('escalation-policies');
  const targets = (via: string) => [{ via, user_id: person.id }];
  const steps = ['phone', 'email', 'email'].map((via) => ({
    targets: targets(via),
    escalate_after_minutes: 60,
  }));
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  await open(['Disk']);
  const unheard = await pickUp();
  await unheard.hangUp();
  const [incident] = await pager.api.list('incidents');
  await pager.api.send(`POST /incidents/${incident.id}/escalate`, {});
  await pager.pass({ minutes: 1 });
  const phone = await pickUp();
  assert.equal(twilio.calls.length, 2);
  assert.equal(titleIn(phone.hear()), 'Disk');
  assert.equal(await phone.press('9'), true);
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Escalated: /);
  const timeline = await timelineOf('Disk');
  assert.equal(timeline.filter(({ type }) => type === 'escalated').length, 2);
  assert.ok(timeline.some(({ text }) => text.startsWith('Step 3 of 3 pages')));
});

test('a refused key is no answer: the incident is read out again as it is now', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager, open, pickUp, timelineOf, pages } = await start(stack);
  const [policy] = await pager.api.list('escalation-policies');
  const [{ targets }] = policy.steps;
  const mail = [{ targets: [{ via: 'email', user_id: targets[0].user_id }] }];
  const steps = [...policy.steps.slice(0, 1), { ...mail[0], escalate_after_minutes: 60 }, ...mail];
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  await open(['Disk']);
  const [incident] = await pager.api.list('incidents');
  const escalate = () => pager.api.send(`POST /incidents/${incident.id}/escalate`, {});
  const escalated = async () =>
    (await timelineOf('Disk')).filter(({ type }) => type === 'escalated').length;

  const phone = await pickUp();
  assert.equal(titleIn(phone.hear()), 'Disk');
  assert.equal((await escalate()).status, 200);
  assert.equal(await phone.press('9'), true);
  assert.match(phone.hear(), /^Nothing was changed: it was escalated after this call\./);
  assert.equal(titleIn(phone.hear()), 'Disk');
  assert.equal(await escalated(), 1);
  await phone.hangUp();
  assert.deepEqual(
    (await pages()).map(({ state, attempts }) => [state, attempts]),
    [['pending', 1]],
  );

  await pager.pass({ minutes: 1 });
  const again = await pickUp();
  assert.equal(titleIn(again.hear()), 'Disk');
  assert.equal((await escalate()).status, 200);
  assert.equal(await again.press('9'), true);
  again.hear();
  again.hear();
  for (const sent of twilio.callbacks.filter(({ fields }) => 'Digits' in fields))
    assert.equal((await resend(sent.url, sent)).status, 200);
  assert.equal(await escalated(), 2);
  assert.equal(await again.press('9'), true);
  await again.listen();
  assert.match(again.heard.at(-2) ?? '', /^Escalated: /);
  assert.equal(await escalated(), 3);
});

test('one call reads out ten incidents at most', async () => {
  await using stack = new AsyncDisposableStack();
  const { open, pickUp, pages } = await start(stack);
  await open(Array.from({ length: 12 }, (_, index) => `Disk ${index}`));
  const phone = await pickUp();
  for (let answered = 1; answered < 10; answered += 1) {
    assert.equal(await phone.press('4'), true);
    assert.match(phone.hear(), / Next incident\.$/);
  }
  assert.equal(await phone.press('4'), true);
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Acknowledged: /);
  assert.equal(phone.heard.at(-1), 'Goodbye.');
  const sent = (await pages()).filter(({ state }) => state === 'sent');
  assert.equal(sent.length, 10);
});

test('what somebody else has answered meanwhile is not read out', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, open, pickUp } = await start(stack);
  await open(['Disk', 'Cache']);
  const phone = await pickUp();
  phone.hear();
  for (const { id } of await pager.api.list('incidents'))
    await pager.api.send(`POST /incidents/${id}/acknowledge`, {});
  await phone.press('4');
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Nothing was changed: /);
  assert.equal(phone.heard.at(-1), 'Goodbye.');
});

for (const [who, change, sentence, why] of [
  [
    'who has become a viewer',
    { role: 'viewer' },
    'As a viewer you cannot act on incidents.',
    'a viewer cannot act on incidents',
  ],
  [
    'who is not active any more',
    { active: false },
    'Your account in Pager is not active.',
    'their account in Pager is not active',
  ],
] as const)
  test(`a key of somebody ${who} is refused, and noted once`, async () => {
    await using stack = new AsyncDisposableStack();
    const { twilio, pager, person, open, pickUp, statusOf, timelineOf } = await start(stack);
    await open(['Disk', 'Cache']);
    const phone = await pickUp();
    const title = titleIn(phone.hear()) ?? '';
    const saved = await pager.api.send(`PATCH /users/${person.id}`, change);
    assert.equal(saved.status, 200);
    assert.equal(await phone.press('6'), true);
    await phone.listen();
    assert.deepEqual(phone.heard.slice(1), [sentence, 'Goodbye.']);
    for (const sent of twilio.callbacks.filter(({ fields }) => 'Digits' in fields))
      assert.equal((await resend(sent.url, sent)).status, 200);
    assert.equal(await statusOf(title), 'triggered');
    const refused = (await timelineOf(title)).filter(({ type }) => type === 'refused');
    assert.deepEqual(
      refused.map(({ text }) => text),
      [`Ada Example tried to resolve by phone and was refused: ${why}`],
    );
  });

test('who has a language hears the page and the answer to a key in it', async () => {
  await using stack = new AsyncDisposableStack();
  const { twilio, pager, person, open, pickUp, statusOf } = await start(stack);
  // Of a person, before that of their organization.
  await pager.api.send('PATCH /organization', { language: 'fr' });
  await pager.api.send(`PATCH /users/${person.id}`, { language: 'de' });
  await open(['Disk']);
  const phone = await pickUp();
  const heard = phone.hear();
  assert.match(heard, /^Hier ist Pager, .* Zum Bestätigen drücken Sie die 4\./);
  assert.match(String(twilio.calls[0]?.fields['Twiml']), /<Say language="de-DE">/);
  assert.doesNotMatch(String(twilio.calls[0]?.fields['Twiml']), /en-US/);
  await phone.press('4');
  await phone.listen();
  assert.match(phone.heard.at(-2) ?? '', /^Bestätigt: /);
  assert.equal(phone.heard.at(-1), 'Auf Wiederhören.');
  assert.equal(await statusOf('Disk'), 'acknowledged');
});
