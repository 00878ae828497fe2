import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bytesIn, readSent } from './sent-bytes.ts';

const KIBIBYTE = 1024;

test('blocks of a large body have memory of their own, the last and small one too', async () => {
  const bytesMax = 64 * KIBIBYTE + 100;
  const pieces = [Buffer.alloc(64 * KIBIBYTE, 'a'), Buffer.alloc(100, 'b')];
  const blocks = await readSent(Readable.from(pieces), {
    ...{ announced: null, bytesMax },
    resize: () => true,
  });
  assert.ok(Array.isArray(blocks));
  assert.equal(bytesIn(blocks), bytesMax);
  const buffers = blocks.map(({ buffer }) => buffer);
  structuredClone(blocks, { transfer: buffers });
  assert.equal(bytesIn(blocks), 0);
});
