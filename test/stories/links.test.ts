import assert from 'node:assert/strict';
import { type LinkPower, linkExpiry, linkText, mountLinks } from '../../src/api/links.ts';
import { act } from '../../src/engine/actions.ts';
import { wordsOf } from '../../src/notices/words/words.ts';
import type { Role } from '../../src/resources/roles.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { activePerson } from '../../src/storage/people/sign-ins.ts';
import { testApi } from '../api.ts';
import { type Pager, story } from './story.ts';

/** Ada's link that acknowledges the first incident, and a browser to open it with. */
async function seedLink(pager: Pager, change: Partial<LinkPower> = {}) {
  const { sql, clock, secrets } = pager;
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'disk full' });
  const api = await testApi({ sql, clock });
  const { ledger } = pager.serve();
  mountLinks(api.app, {
    ...{ digest: secrets.digest, clock },
    roleOf: async (userId) => ((await activePerson(sql, userId))?.role ?? null) as Role | null,
    find: ({ organizationId, incidentId }) =>
      findIncident(sql, { organizationId, teamIds: null }, { id: incidentId }),
    act: ({ organizationId, incidentId, action }, by) =>
      act(
        { ledger, clock, committed: () => {} },
        { organizationId, id: incidentId },
        { action: { type: action, by }, mayTouch: () => true },
      ),
  });
  const power: LinkPower = {
    ...{ organizationId: pager.scope.organizationId, incidentId: await pager.idOf(1) },
    ...{ action: 'acknowledge', userId: pager.users['ada'] ?? '', name: 'Ada', via: 'email' },
    expiresAt: linkExpiry(clock.now()),
    ...change,
  };
  const link = linkText(power, secrets.digest);
  const open = async (method: 'GET' | 'POST', text = link) =>
    (await api.app.inject({ method, url: `/act/${text}` })).statusCode;
  return { link, open, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
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

story('a link is short enough for every channel, whatever the name in it', async (pager) => {
  await using at = await seedLink(pager, { name: '漢'.repeat(511) });
  assert.ok(at.link.length < 800, String(at.link.length));
  assert.equal(await at.open('POST'), 200);
});

story('a link of somebody who is not active does nothing', async (pager) => {
  await using at = await seedLink(pager);
  const set = (active: boolean) =>
    pager.sql`update users set active = ${active} where id = ${pager.users['ada'] ?? ''}`;
  await set(false);
  assert.deepEqual([await at.open('GET'), await at.open('POST')], [404, 404]);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await set(true);
  assert.equal(await at.open('POST'), 200);
});

story('a link does no more than the role of its person allows now', async (pager) => {
  await using at = await seedLink(pager);
  const become = (role: string) =>
    pager.sql`update users set role = ${role} where id = ${pager.users['ada'] ?? ''}`;
  await become('viewer');
  assert.deepEqual([await at.open('GET'), await at.open('POST')], [403, 403]);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
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
    ['ada Example', 'Open incident', 'viewer, which may not acknowledge or resolve incidents'],
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
