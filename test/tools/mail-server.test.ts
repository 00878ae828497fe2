// Postfix as the mail server of an organization: what it requires is told in words, and mails leave by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { selfSigned } from '../../src/terraform/protocol/certificate.ts';
import { anyDatabase } from '../database.ts';
import { startInProcess } from '../system/in-process.ts';
import { withoutMailServer } from '../system/mail-sink.ts';
import { startMailServer } from '../system/notice-servers.ts';
import { isRelayMissing, startRelay } from './postfix.ts';

test('a mail server that is connected is Postfix, which requires STARTTLS', async (t) => {
  if (await isRelayMissing(t)) return;
  const certificate = selfSigned(Date.now());
  const trusted = getCACertificates();
  t.after(() => setDefaultCACertificates(trusted));
  await using mail = await startMailServer();
  await using relay = await startRelay(mail.port, 70, certificate);
  await using pager = await startInProcess(await anyDatabase(), {
    ...withoutMailServer,
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
  });
  const { api } = pager;
  const connection = await api.create('channel-connections', {
    vendor: 'smtp',
    name: 'Postfix',
    settings: { host: 'localhost', port: relay.port, from_email: 'Pager <pager@example.test>' },
  });
  const path = `/channel-connections/${connection.id}`;
  const check = async () => (await api.send(`POST ${path}/test`, {})).body.checks[0];
  assert.match((await check()).message, /^the certificate of the mail server is not trusted/);
  setDefaultCACertificates([...trusted, certificate.pem]);
  assert.deepEqual(await check(), { name: 'server', ok: true, message: 'localhost answers.' });
  await api.send(`PATCH ${path}`, { settings: { security: 'none' } });
  const [owner] = await api.list('users');
  const [contact] = (await api.send(`GET /users/${owner.id}/contacts`)).body.data;
  const testPage = `POST /users/${owner.id}/contacts/${contact.id}/test`;
  const refused = await api.send(testPage, {});
  assert.match(refused.body.message, /the mail server requires STARTTLS \(530\)/);
  await api.send(`PATCH ${path}`, { settings: { security: 'starttls' } });
  const sent = await api.send(testPage, {});
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const page = await mail.arrival('the test page', ({ subject }) => /Test page/.test(subject));
  assert.deepEqual([page.to, page.sender], ['owner@example.test', 'pager@example.test']);
});
