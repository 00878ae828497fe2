import assert from 'node:assert/strict';
import { aroundIncident } from '../../src/api/incidents/around.ts';
import { type LinkPower, linkExpiry, linkText, mountLinks } from '../../src/api/incidents/links.ts';
import { textOfHtml } from '../../src/api/pages/html-text.ts';
import { act } from '../../src/engine/actions.ts';
import { silentLog as log } from '../../src/engine/log.ts';
import { noteRefused } from '../../src/engine/refused-attempts.ts';
import { whyRefused } from '../../src/incidents/refused-attempt.ts';
import { wordsOf } from '../../src/notices/notice.ts';
import type { Role } from '../../src/resources/roles.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { activePerson } from '../../src/storage/people/sign-ins.ts';
import { testApi } from '../api.ts';
import { type Pager, story } from './story.ts';

/** Ada's link that acknowledges the first incident, and a browser to open it with. */
async function seedLink(
  pager: Pager,
  change: Partial<LinkPower> = {},
  event: object = { title: 'disk full' },
) {
  const { sql, clock, secrets } = pager;
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  await pager.trigger(on, event);
  const api = await testApi({ sql, clock });
  const { ledger, configurations } = pager.serve();
  mountLinks(api.app, {
    digest: secrets.digest,
    clock,
    roleOf: async (userId) => ((await activePerson(sql, userId))?.role ?? null) as Role | null,
    find: ({ organizationId, incidentId }) =>
      findIncident(sql, { organizationId, teamIds: null }, { id: incidentId }),
    act: ({ organizationId, incidentId, action }, by) =>
      act(
        { ledger, clock, committed: () => {} },
        { organizationId, id: incidentId },
        { action: { type: action, by }, mayTouch: () => true, mayBeLate: true },
      ),
    refused: ({ organizationId, incidentId: id, action: deed, name, via }, { userId, role }) =>
      noteRefused(
        { ledger, clock },
        { organizationId, id },
        { deed, via, who: { person: { id: userId, name }, why: whyRefused(role) } },
      ),
    around: aroundIncident({ sql, configurations, clock, log }),
  });
  const power: LinkPower = {
    organizationId: pager.scope.organizationId,
    incidentId: await pager.idOf(1),
    action: 'acknowledge',
    userId: pager.users['ada'] ?? '',
    name: 'Ada',
    via: 'email',
    expiresAt: linkExpiry(clock.now()),
    ...change,
  };
  const link = linkText(power, secrets.digest);
  const answer = (method: 'GET' | 'POST', text = link) =>
    api.app.inject({ method, url: `/act/${text}` });
  const open = async (method: 'GET' | 'POST', text = link) =>
    (await answer(method, text)).statusCode;
  /** As a service worker gets it. */
  const press = async () => {
    const headers = { accept: 'application/json' };
    return (await api.app.inject({ method: 'POST', url: `/act/${link}`, headers })).json();
  };
  /** As it reads. */
  const read = async (method: 'GET' | 'POST') => textOfHtml((await answer(method)).body);
  return { link, open, read, press, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

story('opening a link changes nothing; its button does, as often as pressed', async (pager) => {
  await using at = await seedLink(pager);
  assert.equal(await at.open('GET'), 200);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.equal(await at.open('POST'), 200);
  assert.equal(await at.open('POST'), 200);
  assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
  assert.equal((await pager.timeline(1)).filter((type) => type === 'acknowledged').length, 1);
});

story(
  'a link of an earlier release, with a schedule in its name, acts for the person',
  async (pager) => {
    await using at = await seedLink(pager, { name: 'Ada (on call of Payments)' });
    assert.match(await at.read('GET'), /As Ada\. Nothing is acknowledged/);
    assert.equal(await at.open('POST'), 200);
    const [entry] = await pager.sql`select actor from timeline where type = 'acknowledged'`;
    assert.equal(entry?.['actor'].name, 'Ada');
  },
);

story(
  'its page says what is wrong, what happens next, and who acted after how long',
  async (pager) => {
    const id = pager.users['ada'] ?? '';
    await pager.sql`update users set timezone = 'Europe/Berlin' where id = ${id}`;
    const fields = { severity: 'sev1', host: '<db-1>', labels: { tier: 'database' } };
    await using at = await seedLink(pager, {}, { title: 'disk full', ...fields });
    const before = await at.read('GET');
    assert.match(before, /Triggered 10:00\n+disk full\n+sev1/);
    assert.match(before, /Step 2 pages lin Example at 10:05\./);
    assert.match(before, /tier database\s+host <db-1>/);
    assert.match(before, /Times in Europe\/Berlin\./);
    assert.match(before, /Nothing is acknowledged until you press the button/);
    await pager.at('09:04');
    const done = await at.read('POST');
    assert.match(done, /Acknowledged by Ada 10:04, after 4 min/);
    assert.match(done, /Thank you, Ada\.\n+Nobody else is paged\./);
    assert.match(await at.read('GET'), /There is nothing left to do/);
  },
);

story(
  'the button of a notification says how the incident is, and who made it so',
  async (pager) => {
    await using at = await seedLink(pager, { via: 'push' });
    const acknowledged = {
      status: 'acknowledged',
      text: 'Acknowledged by Ada\nNobody else is paged.',
    };
    assert.deepEqual(await at.press(), acknowledged);
    await pager.at('09:04');
    const text = 'Acknowledged by Ada 4 min ago\nNobody else is paged.';
    assert.deepEqual(await at.press(), { ...acknowledged, text });
    await pager.does(1, { type: 'resolve' });
    await pager.at('09:05');
    const pressed = await at.press();
    assert.equal(pressed.status, 'resolved');
    assert.match(
      pressed.text,
      /^(Nothing was changed: INC-1 is already resolved, by Eve\.\n)Resolved by Eve 1 min ago$/,
    );
  },
);

story('a link is short enough for every channel, whatever the name in it', async (pager) => {
  await using at = await seedLink(pager, { name: '漢'.repeat(511) });
  assert.ok(at.link.length < 800, String(at.link.length));
  assert.equal(await at.open('POST'), 200);
});

async function refusals({ sql }: Pager): Promise<readonly string[]> {
  const rows = await sql<{ text: string }[]>`
    select text from timeline where type = 'refused' order by sequence`;
  return rows.map(({ text }) => text);
}

story('a link of somebody who is not active does nothing', async (pager) => {
  await using at = await seedLink(pager);
  const set = (active: boolean) =>
    pager.sql`update users set active = ${active} where id = ${pager.users['ada'] ?? ''}`;
  await set(false);
  assert.deepEqual([await at.open('GET'), await at.open('POST')], [404, 404]);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.deepEqual(await refusals(pager), [
    'Ada tried to acknowledge by e-mail and was refused: their account in Pager is not active',
  ]);
  await set(true);
  assert.equal(await at.open('POST'), 200);
});

story('a link does no more than the role of its person allows now', async (pager) => {
  await using at = await seedLink(pager);
  const become = (role: string) =>
    pager.sql`update users set role = ${role} where id = ${pager.users['ada'] ?? ''}`;
  await become('viewer');
  assert.deepEqual([await at.open('GET'), await at.open('POST')], [403, 403]);
  assert.equal(await at.open('POST'), 403);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  assert.deepEqual(await refusals(pager), [
    'Ada tried to acknowledge by e-mail and was refused: a viewer cannot act on incidents',
  ]);
  await become('responder');
  assert.equal(await at.open('POST'), 200);
});

story('a page to a viewer has no links that act, and a fact instead of them', async (pager) => {
  await pager.sql`update users set role = 'viewer' where id = ${pager.users['ada'] ?? ''}`;
  const targets = ['ada', 'lin'].flatMap((name) => pager.step(name).targets);
  const on = await pager.integration({ steps: [{ targets }] });
  await pager.trigger(on, { title: 'disk full' });
  await pager.work();
  const read = pager.notices.map((notice) => {
    const { actions, facts } = wordsOf(notice);
    const role = facts.find(({ name }) => name === 'Your role');
    return [notice.recipient, actions.map(({ text }) => text).join(', '), role?.value];
  });
  assert.deepEqual(read.sort(), [
    ['ada Example', 'Open incident', 'viewer, which cannot acknowledge or resolve incidents'],
    ['lin Example', 'Acknowledge, Resolve, Open incident', undefined],
  ]);
});

story('a link that is forged or too old does nothing', async (pager) => {
  await using late = await seedLink(pager, { expiresAt: pager.clock.now() });
  assert.deepEqual([await late.open('GET'), await late.open('POST')], [404, 404]);
  const [payload = '', proof] = late.link.split('.');
  const payloadText = Buffer.from(payload, 'base64url')
    .toString()
    .replace(/\d+\]$/, '99999999999999]');
  const forged = `${Buffer.from(payloadText).toString('base64url')}.${proof}`;
  assert.equal(await late.open('POST', forged), 404);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
});
