import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  known,
  other,
  send,
  startListener,
  Talk,
  unknown,
  upToData,
} from '../../../test/mail-client.ts';
import { Room } from '../../admission/room.ts';

test('a mail over the limit is refused, announced or not', async () => {
  await using listener = await startListener({ limits: { mailBytes: 4_096 } });
  const text = 'x'.repeat(60).concat('\n').repeat(200);
  assert.equal(await send(listener, { to: at(known), subject: 'x', text }), 552);
  using talk = new Talk(listener);
  await upToData(talk);
  talk.write(`${'x'.repeat(70)}\r\n`.repeat(2_000));
  talk.write('\r\n.\r\n');
  await talk.hear(552);
  talk.write('NOOP\r\n');
  await talk.hear(250);
  assert.deepEqual(listener.received, []);
});

test('attachments take no room, and a mail may have many of them', async () => {
  let most = 0;
  const room = new Room({ slots: 1, bytes: 300_000 });
  const enter = async (token: string, bytes: number) => {
    const slot = room.enter(token, bytes);
    if (slot === null) return 'busy';
    const resize = (size: number) => {
      const isRoom = slot.resize(size);
      most = Math.max(most, room.bytes);
      return isRoom;
    };
    return { ...slot, resize, [Symbol.dispose]: () => slot[Symbol.dispose]() };
  };
  await using listener = await startListener({ enter });
  const attachments = ['a.pdf', 'b.png'].map((filename) => ({
    filename,
    content: Buffer.alloc(4 * 1024 * 1024, 7),
  }));
  const mail = { to: at(known), subject: 'Disk full', text: 'on db-1' };
  assert.equal(await send(listener, { ...mail, attachments }), 250);
  const [received] = listener.received;
  assert.deepEqual([received?.mail.subject, received?.mail.text.trim()], ['Disk full', 'on db-1']);
  assert.ok((received?.raw.length ?? 0) < 4_096 && most <= 300_000);
  assert.equal(await send(listener, { ...mail, text: '', attachments }), 250);
  assert.match(
    listener.received[1]?.mail.text ?? '',
    /does not read its attachments: a\.pdf, b\.png/,
  );
  // By its size alone it is refused all the same.
  const tooMany = Array.from({ length: 4 }, () => attachments[0] ?? {});
  assert.equal(await send(listener, { ...mail, attachments: tooMany }), 552);
  assert.equal(room.bytes, 0);
});

test('of a text that is too long, the first part is read, and says so', async () => {
  await using listener = await startListener({ limits: { storedBytes: 8_192 } });
  const text = `begin\n${'x'.repeat(60).concat('\n').repeat(500)}`;
  assert.equal(await send(listener, { to: at(known), subject: 'Disk full', text }), 250);
  const [received] = listener.received;
  assert.equal(received?.mail.subject, 'Disk full');
  const read = received?.mail.text ?? '';
  assert.ok(read.startsWith('begin\nxx'));
  assert.match(read, /\n\nThe rest of this e-mail was not read/);
  assert.ok((received?.raw.length ?? 0) <= 8_192);
});

test('a mail is not kept while there is no room for it, and its place is given back', async () => {
  const room = new Room({ slots: 1, bytes: 100_000 });
  const enter = async (token: string, bytes: number) => room.enter(token, bytes) ?? 'busy';
  await using listener = await startListener({ enter });
  const text = 'x'.repeat(60).concat('\n').repeat(2_000);
  assert.equal(await send(listener, { to: at(known), subject: 'x', text }), 451);
  const other = room.enter('another', 1);
  assert.equal(await send(listener, { to: at(known), subject: 'x', text: 'x' }), 451);
  assert.deepEqual(listener.received, []);
  other?.[Symbol.dispose]();
  assert.equal(await send(listener, { to: at(known), subject: 'x', text: 'x' }), 250);
  assert.equal(room.bytes, 0);
});

test('half a mail is no mail', async () => {
  await using listener = await startListener();
  const talk = new Talk(listener);
  await upToData(talk);
  talk.write('Subject: Disk full\r\n\r\non db');
  talk.hangUp();
  await talk.closed();
  assert.equal(await send(listener, { to: at(other), subject: 'x', text: 'x' }), 250);
  assert.deepEqual(
    listener.received.map(({ token }) => token),
    [other],
  );
});

test('garbage ends the connection and nothing else', async () => {
  await using listener = await startListener();
  using talk = new Talk(listener);
  await talk.hear(220);
  for (let line = 0; line < 20; line += 1) talk.write(Buffer.from([0xff, 0, 1, 2, 0x0d, 0x0a]));
  await talk.closed();
  using http = new Talk(listener);
  await http.hear(220);
  http.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await http.closed();
  assert.equal(await send(listener, { to: at(known), subject: 'x', text: 'x' }), 250);
});

test('bytes that are no mail are received all the same', async () => {
  await using listener = await startListener();
  using talk = new Talk(listener);
  await upToData(talk);
  talk.write(Buffer.concat([Buffer.from([0, 0xff, 0xfe, 7]), Buffer.from('\r\n.\r\n')]));
  await talk.hear(250);
  assert.deepEqual([...(listener.received[0]?.raw ?? [])].slice(0, 4), [0, 0xff, 0xfe, 7]);
});

test('a mail that cannot be read is kept as it came, and read by its headers', async () => {
  await using listener = await startListener();
  using talk = new Talk(listener);
  await upToData(talk);
  talk.write(`Subject: Disk full\r\nX-Long: ${` ${'x'.repeat(900)}\r\n`.repeat(400)}\r\n.\r\n`);
  await talk.hear(250);
  assert.equal(listener.received[0]?.mail.subject, 'Disk full');
  assert.match(listener.received[0]?.mail.text ?? '', /could not be read: it is malformed/);
  assert.ok((listener.received[0]?.raw.length ?? 0) > 300_000);
});

test('a client that says nothing is sent away', async () => {
  await using listener = await startListener({ limits: { idleMs: 60 } });
  using talk = new Talk(listener);
  await talk.hear(421);
  await talk.closed();
});

test('a client that trickles is cut off when its time is over', async () => {
  await using listener = await startListener({ limits: { sessionMs: 2_000 } });
  using talk = new Talk(listener);
  await upToData(talk);
  const trickle = setInterval(() => talk.write('x'), 10);
  await talk.closed();
  clearInterval(trickle);
  assert.deepEqual(listener.received, []);
});

test('recipients, clients and guesses are limited', async () => {
  await using listener = await startListener({ limits: { recipients: 1, clients: 1 } });
  using talk = new Talk(listener);
  await talk.hear(220);
  using second = new Talk(listener);
  await second.hear(421);
  talk.write('EHLO client.test\r\nMAIL FROM:<>\r\n');
  await talk.hear(250);
  await talk.hear(250);
  talk.write(`RCPT TO:<${at(known)}>\r\n`);
  await talk.hear(250);
  talk.write(`RCPT TO:<${at(other)}>\r\n`);
  await talk.hear(452);
  talk.write('RSET\r\nMAIL FROM:<>\r\n');
  await talk.hear(250);
  await talk.hear(250);
  for (let guess = 0; guess < 20; guess += 1) {
    talk.write(`RCPT TO:<${at(unknown)}>\r\n`);
    await talk.hear(550);
  }
  talk.write(`RCPT TO:<${at(unknown)}>\r\n`);
  await talk.hear(421);
  await talk.closed();
});

test('one network leaves sessions to the others, and is given back those that it ends', async () => {
  await using listener = await startListener({ limits: { clients: 4 } });
  using first = new Talk(listener);
  using second = new Talk(listener);
  await first.hear(220);
  await second.hear(220);
  using third = new Talk(listener);
  assert.match(await third.hear(421), /Too many sessions from your network/);
  await third.closed();
  using another = new Talk(listener, '127.0.0.2');
  await another.hear(220);
  second.write('QUIT\r\n');
  await second.closed();
  using again = new Talk(listener);
  await again.hear(220);
});

test('neither sign-in nor encryption is offered without a certificate', async () => {
  await using listener = await startListener();
  using talk = new Talk(listener);
  await talk.hear(220);
  talk.write('EHLO client.test\r\n');
  const offered = await talk.hear(250);
  assert.doesNotMatch(offered, /AUTH|STARTTLS/);
  assert.match(offered, /SIZE 16777216/);
});

test('a port that is taken is an error at the start', async () => {
  await using listener = await startListener();
  await assert.rejects(
    startListener({ listen: { host: '127.0.0.1', port: listener.port } }),
    /EADDRINUSE/,
  );
});
