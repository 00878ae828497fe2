import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtData, ExtensionCodec, encode, decode as oracleDecode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { Extension, type Packable, pack, unpack } from './msgpack.ts';

const anyExtension = fc
  .record({ type: fc.integer({ min: 0, max: 127 }), content: fc.uint8Array() })
  .map(({ type, content }) => new Extension(type, Buffer.from(content)));

const { anyValue } = fc.letrec<{ anyValue: Packable }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.integer({ min: -200, max: 70_000 }),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    anyExtension,
    fc.array(tie('anyValue')),
    fc.array(fc.tuple(fc.string(), tie('anyValue'))).map((entries) => new Map(entries)),
  ),
}));

test('what is packed is unpacked again', () => {
  fc.assert(fc.property(anyValue, (value) => assert.deepEqual(unpack(pack(value)), value)));
});

test('@msgpack/msgpack reads what we pack, and we read what it packs', () => {
  const extensionCodec = new ExtensionCodec();
  fc.assert(
    fc.property(anyValue, (value) => {
      const theirs = oracleDecode(asTheirBytes(pack(value)), { extensionCodec });
      assert.deepEqual(theirs, asTheirs(value));
      assert.deepEqual(unpack(encode(asTheirs(value), { extensionCodec })), value);
    }),
  );
});

test('text, bytes, lists and maps of every length that has a form of its own are read', () => {
  for (const length of [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
    const text = 'x'.repeat(length);
    const bytes = Buffer.alloc(length, 1);
    const numbers = Array.from({ length }, (_, index) => index);
    assert.equal(unpack(encode(text)), text);
    assert.deepEqual(unpack(encode(bytes)), bytes);
    assert.deepEqual(unpack(encode(numbers)), numbers);
    const extension = new Extension(7, bytes);
    assert.deepEqual(unpack(encode(new ExtData(7, bytes))), extension);
    assert.deepEqual(unpack(pack(extension)), extension);
    const entries = numbers.map((number): [string, number] => [`${number}`, number]);
    assert.deepEqual(unpack(encode(Object.fromEntries(entries))), new Map(entries));
  }
});

test('integers that a number does not hold exactly are read as bigint', () => {
  const codec = { useBigInt64: true } as const;
  for (const value of [2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n), 2n ** 53n, -(2n ** 53n)])
    assert.equal(unpack(encode(value, codec)), value);
  assert.equal(unpack(encode(2n ** 53n - 1n, codec)), 2 ** 53 - 1);
});

test('floats of both sizes are read', () => {
  assert.equal(unpack(encode(0.1)), 0.1);
  assert.equal(unpack(encode(0.5, { forceFloat32: true })), 0.5);
});

test('what is not known is written in its shortest form', () => {
  assert.deepEqual(pack(new Extension(0, Uint8Array.of(0))), Buffer.of(0xd4, 0x00, 0x00));
});

test('a number that is not a safe integer is not packed', () => {
  for (const value of [0.1, 2 ** 53, Number.NaN]) assert.throws(() => pack(value));
});

test('cut and foreign bytes are refused or read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      try {
        unpack(bytes);
      } catch (error) {
        assert.match(String(error), /^Error: (the value ends|there is (no form|more)|a key)/);
      }
    }),
    { numRuns: 5_000 },
  );
});

type Theirs = null | boolean | number | string | Uint8Array | ExtData | Theirs[] | Fields;
type Fields = { [key: string]: Theirs };

function asTheirs(value: Packable): Theirs {
  if (value instanceof Extension) return new ExtData(value.type, asTheirBytes(value.content));
  if (value instanceof Uint8Array) return asTheirBytes(value);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, each]) => [key, asTheirs(each)]));
  return Array.isArray(value) ? value.map(asTheirs) : (value as null | boolean | number | string);
}

const asTheirBytes = (bytes: Uint8Array) => new Uint8Array(bytes);
