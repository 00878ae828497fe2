import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutEnd } from '../../../test/endless-message.ts';
import { hostileMails, hostileSubject } from '../../../test/hostile-mails.ts';
import { at, known, other, send, startListener } from '../../../test/mail-client.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { silentLog } from '../../engine/log.ts';
import { Pool, type PoolOptions } from '../../workers/pool.ts';
import { createMailReader, type MailTasks } from './reader.ts';

function openReader(options: Partial<PoolOptions> = {}) {
  const pool = new Pool<MailTasks>({
    name: 'mail',
    file: new URL('./message.ts', import.meta.url),
    threads: 2,
    cpuMsMax: 3_000,
    taskMsMax: 60_000,
    heapMegabytesMax: 128,
    runningPerOrganizationMax: 1,
    waitingMax: 10,
    perCallerMax: 10,
    waitMsMax: 60_000,
    log: silentLog,
    finished() {},
    ...options,
  });
  const read = createMailReader({ pool, log: silentLog });
  return { pool, read, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() };
}

const of = (organizationId: string) => ({ organizationId, caller: 'integration' });

const sendRaw = (listener: Awaited<ReturnType<typeof startListener>>, raw: string) =>
  send(listener, { raw, envelope: { from: 'tool@monitor.test', to: at(known) } });

test('while a mail is read without end, this thread takes those of others', async () => {
  const file = new URL('../../../test/endless-message.ts', import.meta.url);
  const reader = openReader({ file, cpuMsMax: 600_000, taskMsMax: 600_000 });
  await using listener = await startListener({
    read: (raw, [token = '']) => reader.read(raw, of(token)),
  });
  const hostile = sendRaw(listener, `Subject: Disk full\r\n\r\n${withoutEnd}\r\n`);
  await eventually('it is being read', async () => reader.pool.running === 1);
  assert.equal(await send(listener, { to: at(other), subject: 'x', text: 'x' }), 250);
  assert.equal(reader.pool.running, 1);
  await reader.pool[Symbol.asyncDispose]();
  assert.equal(await hostile, 250);
});

test('whatever a mail is made of, it is read, and kept with its subject', async () => {
  await using reader = openReader();
  await using listener = await startListener({
    read: (raw, [token = '']) => reader.read(raw, of(token)),
  });
  for (const [name, raw] of Object.entries(hostileMails)) {
    assert.equal(await sendRaw(listener, raw), 250, name);
    const { subject, text } = listener.received.at(-1)?.mail ?? { subject: '', text: '' };
    assert.ok(subject.endsWith(hostileSubject), name);
    assert.ok(!text.includes('could not be read'), `${name}: ${text.slice(0, 200)}`);
  }
  assert.equal(listener.received.length, Object.keys(hostileMails).length);
});

test('of a mail with more lines than anybody reads, the first are read', async () => {
  await using reader = openReader();
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);
  const raw = Buffer.from(['Subject: Disk full', '', ...lines].join('\r\n'));
  const { subject, text } = await reader.read(raw, of('a'));
  assert.equal(subject, 'Disk full');
  assert.equal(text.trimEnd().split('\n').at(-1), 'line 19997');
});

test('a mail that is not read in time says so in the place of its text', async () => {
  await using reader = openReader({ taskMsMax: 1 });
  const mail = await reader.read(Buffer.from('Subject: Disk full\r\n\r\non db1\r\n'), of('a'));
  assert.equal(mail.subject, 'Disk full');
  assert.match(mail.text, /could not be read: it takes too long\./);
});

test('a mail is read from its headers rather than waiting for many others', async () => {
  await using reader = openReader({ waitingMax: 0 });
  const mail = await reader.read(Buffer.from('Subject: Disk full\r\n\r\non db1\r\n'), of('a'));
  assert.deepEqual([mail.subject, mail.text.includes('too much mail')], ['Disk full', true]);
});
