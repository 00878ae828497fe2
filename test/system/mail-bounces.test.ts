// Mail servers accept a page by e-mail and report later that it could not be delivered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { anyDatabase } from '../database.ts';
import { absences, bounces, delayed } from '../returned-mails.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const [work, home] = ['ada@work.test', 'ada@home.test'] as const;

async function start(stack: AsyncDisposableStack) {
  const mail = stack.use(await startMailServer());
  const port = await freePort();
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      ...mailTo(mail),
      PAGER_EMAIL_LISTEN: `127.0.0.1:${port}`,
      PAGER_EMAIL_DOMAIN: 'alerts.example.test',
      PAGER_EMAIL_BOUNCES: 'true',
    }),
  );
  const { api, sql } = pager;
  const person = await api.create('users', {
    email: work,
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  await sql`
    insert into contacts
      (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'1'.repeat(24)}, id, 'email', ${home}, now(), now()
    from users where id = ${person.id}`;
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'email', user_id: person.id }] }];
  assert.equal((await api.send(`PATCH /escalation-policies/${policy.id}`, { steps })).status, 200);
  const trigger = async (title: string) => {
    const [integration] = await api.list('integrations');
    await postJson(integration.webhook_url, { title });
  };
  const page = async (title: string, to: string) => {
    const sent = await mail.arrival(
      `${title} to ${to}`,
      (one) => one.to === to && one.subject.includes(title) && one.sender.startsWith('b+'),
    );
    await pager.calm();
    return sent;
  };
  const bounce = async (to: string, raw: string): Promise<string> => {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const { response } = await transport.sendMail({ envelope: { from: '', to }, raw });
    transport.close();
    return response;
  };
  const texts = async (): Promise<string[]> => {
    const [incident] = await api.list('incidents');
    const { body } = await api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
    return body.data.map(({ text }: { text: string }) => text.replace(/ after \d+ (s|min)\b/, ''));
  };
  const contacts = async (): Promise<string[]> => {
    const rows = await sql<{ address: string; is_used: boolean; state: string | null }[]>`
      select address, verified_at is not null as is_used, state from contacts
      where user_id = ${person.id} and channel = 'email' order by address desc`;
    return rows.map(({ address, is_used, state }) => `${address} ${is_used} ${state}`);
  };
  const bounceAs = (server: string, failed: string, status: string) => (to: string) =>
    bounce(to, bounces[server]?.(to, failed, { status }) ?? '');
  return { mail, pager, trigger, page, bounce, bounceAs, texts, contacts };
}

test('a page that comes back goes on at the next contact, once', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, page, bounceAs, texts, contacts, mail, pager } = await start(stack);
  await trigger('Disk full');
  const { sender } = await page('Disk full', work);
  for (const server of Object.keys(bounces))
    assert.match(await bounceAs(server, work, '5.1.1')(sender), /^250/, server);
  await page('Disk full', home);
  await pager.calm();
  const own = (await texts()).filter((text) => /not delivered|did not arrive/.test(text));
  const reason =
    'the mail server reported 5.1.1 (550 5.1.1 <…>: User unknown in virtual mailbox table)';
  assert.deepEqual(own, [
    `The page to Ada Example by e-mail was not delivered: ${reason}`,
    `The page to Ada Example by e-mail did not arrive at a…@work.test: ${reason}; a…@home.test is tried next`,
  ]);
  assert.equal(mail.mails.filter(({ subject }) => subject.includes('Disk')).length, 2);
  assert.deepEqual(await contacts(), [`${work} true null`, `${home} true null`]);
});

test('two bounces within a day end a contact, but not the last one of a person', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, page, bounceAs, contacts, pager } = await start(stack);
  for (const title of ['First', 'Second']) {
    await trigger(title);
    await bounceAs('Exchange', work, '5.1.10')((await page(title, work)).sender);
    await bounceAs('Gmail', home, '5.1.1')((await page(title, home)).sender);
    await pager.calm();
    await pager.pass({ minutes: 10 });
  }
  assert.deepEqual(await contacts(), [`${work} false invalid`, `${home} true invalid`]);
  await trigger('Third');
  await page('Third', home);
});

test('a report about the sender or a rule ends no contact, and a delay is no failure', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, page, bounce, bounceAs, contacts, pager, texts } = await start(stack);
  await trigger('First');
  const first = await page('First', work);
  assert.match(await bounce(first.sender, delayed(first.sender, work, { status: '' })), /^250/);
  for (const write of Object.values(absences))
    assert.match(await bounce(first.sender, write(first.sender, work)), /^250/);
  assert.ok(!(await texts()).some((text) => /not delivered/.test(text)));
  await bounceAs('Postfix', work, '5.7.1')(first.sender);
  await page('First', home);
  await pager.pass({ minutes: 10 });
  await trigger('Second');
  await bounceAs('Postfix', work, '5.7.1')((await page('Second', work)).sender);
  await page('Second', home);
  assert.deepEqual(await contacts(), [`${work} true null`, `${home} true null`]);
});

test('a page that comes back from the only contact fails, and the next step is paged', async () => {
  await using stack = new AsyncDisposableStack();
  const { trigger, page, bounceAs, pager, texts } = await start(stack);
  await pager.sql`delete from contacts where address = ${home}`;
  await trigger('Disk full');
  await bounceAs('Postfix', work, '5.2.2')((await page('Disk full', work)).sender);
  await eventually('the page has failed', async () =>
    (await texts()).some((text) =>
      /failed permanently: the mail server reported 5\.2\.2/.test(text),
    ),
  );
});
