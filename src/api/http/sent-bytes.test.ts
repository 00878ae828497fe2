import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bytesIn, readSent } from './sent-bytes.ts';

const KIBIBYTE = 1024;

test('blocks of a large body have memory of their own, the last and small one too', async () => {
  const bytesMax = 64 * KIBIBYTE + 100;
  const pieces = [Buffer.alloc(64 * KIBIBYTE, 'a'), Buffer.alloc(100, 'b')];
  const blocks = await readSent(Readable.from(pieces), {
    announced: null,
    bytesMax,
    resize: () => true,
  });
  assert.ok(Array.isArray(blocks));
  assert.equal(bytesIn(blocks), bytesMax);
  const buffers = blocks.map(({ buffer }) => buffer);
  structuredClone(blocks, { transfer: buffers });
  assert.equal(bytesIn(blocks), 0);
});

test('a body that nobody announced is read no further than it has room', async () => {
  let read = 0;
  const pieces = (function* () {
    for (; read < 100; read += 1) yield Buffer.alloc(64 * KIBIBYTE, 'a');
  })();
  const sent = await readSent(Readable.from(pieces, { highWaterMark: 1 }), {
    announced: null,
    bytesMax: 100 * 64 * KIBIBYTE,
    resize: (bytes) => bytes <= 256 * KIBIBYTE,
  });
  assert.ok(sent === 'no_room');
  assert.ok(read < 10, `${read}`);
});
