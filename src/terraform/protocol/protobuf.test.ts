import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import protobufjs from 'protobufjs';
import { providerService } from './messages.ts';
import {
  bool,
  bytes,
  type Draft,
  decode,
  encode,
  type Field,
  list,
  map,
  one,
  string,
  type Table,
  uint,
} from './protobuf.ts';

const methods: Readonly<Record<string, { readonly request: Table; readonly response: Table }>> =
  providerService;
const tables = Object.entries(methods).flatMap(([name, { request, response }]) => [
  { name: `${name} request`, table: request },
  { name: `${name} response`, table: response },
]);

for (const { name, table } of tables) {
  test(`${name}: protobufjs reads what we write, and we read what it writes`, () => {
    const oracle = oracleOf(table);
    fc.assert(
      fc.property(anyMessage(table, 3), (message) => {
        const theirs = oracle.toObject(oracle.decode(encode(table, message)), whole);
        const ours = decode(table, oracle.encode(oracle.fromObject(message)).finish());
        assert.deepEqual(comparable(ours), comparable(theirs));
      }),
      { numRuns: 50 },
    );
  });
}

const sample = {
  name: string(1),
  content: bytes(2),
  flag: bool(3),
  count: uint(16),
  inner: one(4, { name: string(1) }),
  items: list(5, { name: string(1) }),
  byName: map(6, { name: string(1) }),
};

test('what was not sent has its default, and a message that was not sent is undefined', () => {
  assert.deepEqual(decode(sample, Buffer.alloc(0)), {
    name: '',
    content: Buffer.alloc(0),
    flag: false,
    count: 0,
    inner: undefined,
    items: [],
    byName: {},
  });
});

test('a default that is given is written', () => {
  assert.deepEqual(encode(sample, { count: 0 }), Buffer.of(0x80, 0x01, 0x00));
});

test('fields that the table does not know are passed over', () => {
  const newer = { ...sample, later: uint(99), text: string(1000) };
  const message = { name: 'a', later: Number.MAX_SAFE_INTEGER, text: 'b' };
  const negative = Buffer.from('a006ffffffffffffffffff01', 'hex');
  const fixed = Buffer.from('a1060102030405060708a50601020304', 'hex');
  const read = decode(sample, Buffer.concat([negative, fixed, encode(newer, message)]));
  assert.equal(read.name, 'a');
});

test('a map may have any key', () => {
  const byName = Object.fromEntries([['__proto__', { name: 'a' }]]);
  const read = decode(sample, encode(sample, { byName }));
  assert.deepEqual(Object.entries(read.byName), [['__proto__', { name: 'a' }]]);
});

test('cut or foreign bytes are refused or read, and never read for ever', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (content) => {
      try {
        decode(sample, content);
      } catch (error) {
        assert.match(String(error), /^Error: (the message|a field|a number|there is no|\d)/);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a number that is not from 0 to 2^53 - 1 is refused', () => {
  for (const count of [-1, 0.5, 2 ** 53]) assert.throws(() => encode(sample, { count }));
});

const whole = { defaults: true, longs: Number, arrays: true, objects: true } as const;

/** Undefined and null messages, and the kinds of byte arrays, are the same to a comparison. */
function comparable(message: unknown): unknown {
  const text = (value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  return JSON.parse(
    JSON.stringify(message, (_key, value) => {
      if (value?.type === 'Buffer') return Buffer.from(value.data).toString('hex');
      return value === null ? undefined : text(value);
    }),
  );
}

const tableOf = (type: Table | (() => Table)) => (typeof type === 'function' ? type() : type);
const root = new protobufjs.Root();
const built = new Map<Table, protobufjs.Type>();

function oracleOf(table: Table): protobufjs.Type {
  const known = built.get(table);
  if (known) return known;
  const oracle = new protobufjs.Type(`Message${built.size}`);
  built.set(table, oracle);
  root.add(oracle);
  for (const [name, field] of Object.entries(table)) oracle.add(oracleField(name, field));
  return oracle;
}

function oracleField(name: string, { number, type, label }: Field): protobufjs.ReflectionObject {
  const scalar = type === 'uint' ? 'int64' : type;
  const itsType = typeof scalar === 'string' ? scalar : oracleOf(tableOf(scalar)).name;
  return label === 'map'
    ? new protobufjs.MapField(name, number, 'string', itsType)
    : new protobufjs.Field(name, number, itsType, label === 'list' ? 'repeated' : undefined);
}

function anyMessage(table: Table, depth: number): fc.Arbitrary<Draft<Table>> {
  const fields = Object.entries(table)
    .filter(([, { type }]) => depth > 0 || typeof type === 'string')
    .map(([name, field]) => [name, anyField(field, depth)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

function anyField({ type, label }: Field, depth: number): fc.Arbitrary<unknown> {
  const each = anyValue(type, depth);
  if (label === 'list') return fc.array(each, { maxLength: 3 });
  return label === 'map' ? fc.dictionary(fc.string(), each, { maxKeys: 3 }) : each;
}

function anyValue(type: Field['type'], depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme' });
    case 'bytes':
      return fc.uint8Array().map((content) => Buffer.from(content));
    case 'bool':
      return fc.boolean();
    case 'uint':
      return fc.maxSafeNat();
    default:
      return anyMessage(tableOf(type), depth - 1);
  }
}
