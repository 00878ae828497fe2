// Without a mail server a mail is a file: it is written, and nobody counts on it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { withoutMailServer } from './mail-sink.ts';
import { startChatServer } from './notice-servers.ts';

const folder =
  'e-mail is not set up, so the message is only written to the folder mail in the data directory';
const unsent = 'e-mail is not set up: the message was written to a file and reached nobody';
let pager: InProcess;

before(async () => {
  const settings = { ...withoutMailServer, PAGER_ALLOW_NETWORKS: '127.0.0.0/8' };
  pager = await startInProcess(await anyDatabase(), settings);
});
after(() => pager?.[Symbol.asyncDispose]());

const data = async (path: string) => (await pager.api.send(`GET ${path}`)).body.data;

/** Its number, once all is sent that can be. */
async function alert(title: string): Promise<number> {
  const [integration] = await pager.api.list('integrations');
  const { body } = await postJson(integration.webhook_url, { title });
  await pager.calm();
  return body.alerts[0].incident;
}

async function setSteps(steps: readonly object[]) {
  const [policy] = await pager.api.list('escalation-policies');
  return pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
}

const texts = async (number: number, types: RegExp): Promise<readonly string[]> =>
  (await data(`/incidents/${number}/timeline`))
    .filter(({ type }: { type: string }) => types.test(type))
    .map(({ text }: { text: string }) => text);

test('a page by mail alone reaches nobody, and everything says so', async () => {
  const [owner] = await pager.api.list('users');
  const name = 'owner';
  const email = { via: 'email', user_id: owner.id };
  const { body: saved } = await setSteps([{ targets: [email] }]);
  assert.match(
    saved.warnings.join(),
    /targets\[0\]\.via email pages nobody because it is not set up/,
  );
  const number = await alert('Disk full');
  assert.deepEqual(await texts(number, /^step_|nobody_paged/), [
    `Step 1 of 1 can page nobody; skipped ${name} by e-mail: ${folder}`,
    `Nobody could be paged: nobody could be notified (${name} by e-mail: ${folder})`,
  ]);
  const pages = await data(`/users/${owner.id}/pages`);
  assert.deepEqual(
    pages.map((page: { state: string; reason: string }) => [page.state, page.reason]),
    [
      ['failed', unsent],
      ['failed', unsent],
    ],
  );
  // Of the links in it, whoever tries Pager out opens one.
  const mail = await readFile(pages[1].attempts[0].answer, 'utf8');
  assert.match(mail, /^Subject: .*Disk full/m);
  assert.match(mail, /Acknowledge/);
  const { body: why } = await pager.api.send(`GET /incidents/${number}/why?user_id=${owner.id}`);
  assert.equal(why.paged, false, why.answer);
  assert.match(why.answer, /was not paged: the page by e-mail .* failed: e-mail is not set up/);
  const { body: list } = await pager.api.send('GET /incidents?include=next');
  assert.deepEqual(Object.values(list.paging), ['nobody_reached']);
  const facts = await data('/attention');
  assert.deepEqual(facts[0], { type: 'nobody_reached', incidents: 1, incident: number });
  const { body: simulated } = await pager.api.send('POST /simulate', {
    integration_id: (await pager.api.list('integrations'))[0].id,
    event: { title: 'Another' },
  });
  const planned: readonly { deliverable: boolean }[] = simulated.notices ?? [];
  assert.ok(planned.length > 0, JSON.stringify(simulated));
  assert.ok(planned.every(({ deliverable }) => !deliverable));
});

test('the next step runs at once, and a chat beside the mail counts', async () => {
  await using chat = await startChatServer('answers');
  const [owner] = await pager.api.list('users');
  const email = { via: 'email', user_id: owner.id };
  const slack = { via: 'slack', webhook_url: chat.url, channel_name: 'ops' };
  await setSteps([{ targets: [email], escalate_after_minutes: 5 }, { targets: [slack, email] }]);
  const number = await alert('Checkout is down');
  assert.deepEqual(await texts(number, /^step_/), [
    `Step 1 of 2 can page nobody; skipped owner by e-mail: ${folder}`,
    `Step 2 of 2 pages ops in Slack; skipped owner by e-mail: ${folder}`,
  ]);
  await eventually('the chat has it', () => chat.messages.length === 1);
  const { body: incident } = await pager.api.send(`GET /incidents/${number}`);
  const { body: list } = await pager.api.send('GET /incidents?include=next');
  assert.equal(list.paging[incident.id], 'paged');
  const files = (await data(`/users/${owner.id}/pages`)).filter(
    (page: { incident_number: number }) => page.incident_number === number,
  );
  assert.equal(files.length, 2, 'a file for each step');
});
