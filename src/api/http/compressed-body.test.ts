import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Room } from '../../admission/room.ts';
import { Refusal } from '../failures.ts';
import { decompressed } from './compressed-body.ts';
import { joined } from './sent-bytes.ts';

const LARGEST = 300_000;
const noRoom = () => new Refusal('rate_limited');

/** Decompresses in a room of that many bytes, and tells how much of it was taken. */
async function read(body: Buffer, { encoding = '', bytes = 1_000_000 } = {}) {
  const room = new Room({ slots: 1, bytes });
  const place = room.enter('somebody', body.length);
  assert.ok(place);
  let most = 0;
  const resize = (size: number) => {
    const isTaken = place.resize(size);
    most = Math.max(most, room.bytes);
    return isTaken;
  };
  const request = { headers: { 'content-encoding': encoding } };
  const reading = { announced: body.length, bytesMax: LARGEST, resize, noRoom };
  const whole = joined(await decompressed(request, [body], reading));
  return { whole, most, last: room.bytes };
}

const text = (length: number) => Buffer.from('disk full '.repeat(length / 10));

test('what is compressed is read, whether it is declared or shows by itself', async () => {
  const body = text(100_000);
  const ways = [
    { sent: gzipSync(body) },
    { sent: gzipSync(body), encoding: 'identity' },
    { sent: deflateSync(body), encoding: 'deflate' },
  ];
  for (const { sent, encoding } of ways)
    assert.ok((await read(sent, { ...(encoding && { encoding }) })).whole.equals(body));
});

test('what is not compressed, or broken, stays as it came', async () => {
  const zipped = gzipSync(text(1_000));
  const bodies = [text(10), Buffer.from('{'), Buffer.from('x^2'), deflateSync(text(10))];
  const broken = [zipped.subarray(0, 30), Buffer.concat([zipped.subarray(0, 30), text(100)])];
  for (const body of [...bodies, ...broken, Buffer.of(0x1f, 0x8b)])
    for (const encoding of ['', 'gzip']) {
      const { whole, last } = await read(body, { encoding });
      assert.ok(whole.equals(body));
      assert.equal(last, body.length);
    }
  for (const body of [text(10), deflateRawSync(text(100)), Buffer.from('{"a":1}')])
    assert.ok((await read(body, { encoding: 'deflate' })).whole.equals(body));
});

test('no more is made than a body may have', async () => {
  assert.equal((await read(gzipSync(text(LARGEST)))).whole.length, LARGEST);
  for (const length of [LARGEST + 10, 100 * LARGEST])
    await assert.rejects(read(gzipSync(text(length))), { code: 'too_large' });
});

test('a body takes room as it is decompressed, and afterwards its own size', async () => {
  // As long compressed as it is itself.
  const sent = gzipSync(text(200_000), { level: 0 });
  const { most, last } = await read(sent);
  assert.ok(most >= sent.length + 200_000);
  assert.ok(most <= sent.length + LARGEST);
  assert.equal(last, 200_000);
  const bytes = sent.length + 100_000;
  await assert.rejects(read(sent, { bytes }), { code: 'rate_limited' });
  await assert.rejects(read(gzipSync(text(10)), { bytes: 1_000 }), { code: 'rate_limited' });
});
