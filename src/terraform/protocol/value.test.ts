import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Extension, type Packable, pack, unpack } from './msgpack.ts';
import {
  Decimal,
  Dynamic,
  decodeJson,
  decodeValue,
  encodeValue,
  type Type,
  Unknown,
  type Value,
} from './value.ts';

const anyName = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'));

const { anyType } = fc.letrec<{ anyType: Type }>((tie) => ({
  anyType: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Type>('string', 'number', 'bool', 'dynamic'),
    fc.tuple(fc.constantFrom('list', 'set', 'map'), tie('anyType')),
    fc.tuple(fc.constant('tuple'), fc.array(tie('anyType'), { maxLength: 3 })),
    fc.tuple(
      fc.constant('object'),
      fc.dictionary(anyName, tie('anyType'), { maxKeys: 4, noNullPrototype: true }),
    ),
  ),
}));

const anyUnknown = fc
  .constantFrom(new Extension(0, Buffer.of(0)), new Extension(12, Buffer.from('8101c2', 'hex')))
  .map((refinement) => new Unknown(refinement));

const anyNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom('0.1', '123456789012345678901234567890.5').map((text) => new Decimal(text)),
);

function anyValue(type: Type): fc.Arbitrary<Value> {
  const hole = fc.oneof(fc.constant(null), anyUnknown);
  return fc.oneof({ weight: 8, arbitrary: anyKnown(type) }, { weight: 1, arbitrary: hole });
}

function anyKnown(type: Type): fc.Arbitrary<Value> {
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme' });
    case 'number':
      return anyNumber;
    case 'bool':
      return fc.boolean();
    case 'dynamic':
      return anyType
        .filter((own) => own !== 'dynamic')
        .chain((own) => anyValue(own).map((value) => new Dynamic(own, value)));
  }
  const [kind, inner] = type;
  switch (kind) {
    case 'list':
    case 'set':
      return fc.array(anyValue(inner), { maxLength: 4 });
    case 'map':
      return anyMap(anyValue(inner));
    case 'tuple':
      return fc.tuple(...inner.map(anyValue));
    case 'object':
      return anyObject(inner);
  }
}

const anyMap = (value: fc.Arbitrary<Value>) =>
  fc
    .uniqueArray(fc.tuple(anyName, value), { selector: ([name]) => name, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

function anyObject(attributes: { readonly [name: string]: Type }): fc.Arbitrary<Value> {
  const names = Object.keys(attributes);
  return fc
    .tuple(...Object.values(attributes).map(anyValue))
    .map((values) => Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
}

test('a value of any type is read as it was written', () => {
  const anyTyped = anyType.chain((type) => fc.tuple(fc.constant(type), anyValue(type)));
  fc.assert(
    fc.property(anyTyped, ([type, value]) =>
      assert.deepEqual(decodeValue(type, encodeValue(type, value)), value),
    ),
    { numRuns: 500 },
  );
});

describe('numbers', () => {
  const packed = (value: Packable) => decodeValue('number', pack(value));

  test('a decimal comes as text and stays that text', () => {
    const value = packed('0.1');
    assert.deepEqual(value, new Decimal('0.1'));
    assert.equal(unpack(encodeValue('number', value)), '0.1');
  });

  test('an integer beyond the safe ones keeps its digits', () => {
    const uint64 = Buffer.from('cfffffffffffffffff', 'hex');
    assert.deepEqual(decodeValue('number', uint64), new Decimal('18446744073709551615'));
  });

  test('a float is the number that it is exactly', () => {
    const float = (value: number) => {
      const bytes = Buffer.alloc(9, 0xcb);
      bytes.writeDoubleBE(value, 1);
      return decodeValue('number', bytes);
    };
    assert.deepEqual(float(3), 3);
    assert.deepEqual(float(0.5), new Decimal('5e-1'));
    assert.deepEqual(float(-0.75), new Decimal('-75e-2'));
    const tenth = '1000000000000000055511151231257827021181583404541015625e-55';
    assert.deepEqual(float(0.1), new Decimal(tenth));
    assert.throws(() => float(Number.POSITIVE_INFINITY), /Infinity/);
  });

  test('a text is no number unless it is a decimal one', () => {
    for (const text of ['1', '-1.50', '1e+3']) packed(text);
    for (const text of ['', 'x', '0x10', 'Infinity', '1.', '1 '])
      assert.throws(() => packed(text), /not a number/, text);
  });

  test('a fraction of our own is written as people would', () => {
    assert.equal(unpack(encodeValue('number', 0.1)), '0.1');
    assert.equal(unpack(encodeValue('number', 7)), 7);
  });
});

test('what Terraform says of the unknown is passed on as it came', () => {
  const notNull = new Extension(12, Buffer.from('8101c2', 'hex'));
  const withPrefix = new Extension(12, Buffer.from('8201c202a4737663', 'hex'));
  for (const refinement of [notNull, withPrefix]) {
    const value = decodeValue('string', pack(refinement));
    assert.deepEqual(value, new Unknown(refinement));
    assert.deepEqual(unpack(encodeValue('string', value)), refinement);
  }
});

test('an object has all attributes of its type and no others', () => {
  const type: Type = ['object', { name: 'string', size: 'number' }];
  const bytes = encodeValue(type, { name: 'a', other: 1 });
  assert.deepEqual(decodeValue(type, bytes), { name: 'a', size: null });
});

test('a value of another type is refused', () => {
  const wrong: readonly [Type, Value][] = [
    ['string', 1],
    ['number', 'x'],
    ['bool', 'true'],
    ['dynamic', 'x'],
    [['list', 'string'], { a: 'x' }],
    [['map', 'string'], ['x']],
    [['object', {}], 'x'],
    [['tuple', []], ['x']],
  ];
  for (const [type, value] of wrong) assert.throws(() => encodeValue(type, value), /^Error: a /);
});

test('the state file is read by type, with numbers as they stand there', () => {
  const type: Type = [
    'object',
    { tags: ['map', 'string'], steps: ['list', 'number'], gone: 'bool' },
  ];
  const json = '{"tags":{"__proto__":"a"},"steps":[1,0.1,18446744073709551615],"old":null}';
  assert.deepEqual(decodeJson(type, json), {
    tags: Object.fromEntries([['__proto__', 'a']]),
    steps: [1, new Decimal('0.1'), new Decimal('18446744073709551615')],
    gone: null,
  });
});

test('a number of the state file keeps its digits, however it is written', () => {
  const type: Type = ['list', 'number'];
  for (const text of ['-0.5', '1e3', '2E-7', '9007199254740993', '-18446744073709551616'])
    for (const json of [`[${text}]`, `[7 ,\n ${text}]`])
      assert.deepEqual((decodeJson(type, json) as Value[]).at(-1), new Decimal(text));
  assert.deepEqual(decodeJson(type, '[7, -9007199254740991]'), [7, -9007199254740991]);
});
