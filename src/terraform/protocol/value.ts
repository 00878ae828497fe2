// Terraform's values (cty): each has a type, and is written and read by it. Attributes and keys
// of maps keep their names, so that an object's value has the form that the API's JSON has.
import { Extension, type Packable, pack, type Unpacked, unpack } from './msgpack.ts';

/** A type in the notation of cty's JSON. */
export type Type =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', Type]
  | readonly ['tuple', readonly Type[]]
  | readonly ['object', { readonly [name: string]: Type }];

/** What is known only after apply. Terraform may have said more about it, which is passed on. */
export class Unknown {
  readonly said: Extension;
  constructor(said: Extension = nothingSaid) {
    this.said = said;
  }
}
const nothingSaid = new Extension(0, Uint8Array.of(0));

/** A number that JavaScript's do not hold exactly. */
export class Decimal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value of type dynamic brings its own type. */
export class Dynamic {
  readonly type: Type;
  readonly value: Value;
  constructor(type: Type, value: Value) {
    this.type = type;
    this.value = value;
  }
}

export type Value =
  | null
  | boolean
  | number
  | string
  | Decimal
  | Unknown
  | Dynamic
  | readonly Value[]
  | { readonly [name: string]: Value };

/** Of an object, the attributes of its type: a missing one is null, others are left out. */
export const encodeValue = (type: Type, value: Value): Buffer => pack(packable(type, value));

function packable(type: Type, value: Value): Packable {
  if (value === null) return null;
  if (value instanceof Unknown) return value.said;
  if (typeof type === 'string') return packableScalar(type, value);
  const [kind, inner] = type;
  switch (kind) {
    case 'list':
    case 'set':
      return members(value).map((member) => packable(inner, member));
    case 'tuple':
      return members(value).map((member, index) => packable(typeAt(inner, index), member));
    case 'map':
      return new Map(fields(value).map(([key, each]) => [key, packable(inner, each)]));
    case 'object': {
      const attributes = new Map(fields(value));
      const entries = Object.entries(inner);
      return new Map(
        entries.map(([name, each]) => [name, packable(each, attributes.get(name) ?? null)]),
      );
    }
  }
}

function packableScalar(type: Type & string, value: Value): Packable {
  if (type === 'dynamic' && value instanceof Dynamic)
    return [Buffer.from(JSON.stringify(value.type)), packable(value.type, value.value)];
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'number' && value instanceof Decimal) return value.text;
  if (type === 'number' && typeof value === 'number')
    return Number.isSafeInteger(value) ? value : String(value);
  throw new Error(`a value is no ${type}`);
}

function members(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new Error('a value is no list');
}

function fields(value: Value): [string, Value][] {
  if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value ?? {});
  throw new Error('a value is no object');
}

function typeAt(types: readonly Type[], index: number): Type {
  const type = types[index];
  if (type === undefined) throw new Error('a tuple has too many members');
  return type;
}

export const decodeValue = (type: Type, bytes: Uint8Array): Value => read(type, unpack(bytes));

/** What Terraform keeps in its state file. */
export function decodeJson(type: Type, json: string): Value {
  return read(type, JSON.parse(json, asUnpacked));
}

function asUnpacked(_key: string, value: unknown, context?: { readonly source?: string }) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return new Map(Object.entries(value));
  // Node 20 does not tell the source: there, what is not a safe integer is rounded.
  return typeof value === 'number' ? (context?.source ?? value) : value;
}

function read(type: Type, value: Unpacked): Value {
  if (value === null) return null;
  if (value instanceof Extension) return new Unknown(value);
  if (typeof type === 'string') return readScalar(type, value);
  const [kind, inner] = type;
  switch (kind) {
    case 'list':
    case 'set':
      return readList(value).map((member) => read(inner, member));
    case 'tuple':
      return readList(value).map((member, index) => read(typeAt(inner, index), member));
    case 'map':
      return Object.fromEntries([...readMap(value)].map(([key, each]) => [key, read(inner, each)]));
    case 'object': {
      const map = readMap(value);
      const entries = Object.entries(inner);
      return Object.fromEntries(
        entries.map(([name, each]) => [name, read(each, map.get(name) ?? null)]),
      );
    }
  }
}

function readScalar(type: Type & string, value: Unpacked): Value {
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'number') return readNumber(value);
  if (type === 'dynamic' && Array.isArray(value)) {
    const [itsType, itsValue] = value;
    // Terraform sends the type in the very notation.
    const own = JSON.parse(Buffer.from(itsType as Uint8Array).toString()) as Type;
    return new Dynamic(own, read(own, itsValue ?? null));
  }
  throw new Error(`a value is no ${type}`);
}

function readNumber(value: Unpacked): Value {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? value : new Decimal(exactText(value));
  if (typeof value === 'bigint') return new Decimal(String(value));
  if (typeof value !== 'string' || !decimal.test(value)) throw new Error('a value is no number');
  const number = Number(value);
  return Number.isSafeInteger(number) && String(number) === value ? number : new Decimal(value);
}

const decimal = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i;

/** All digits of a float. Its shortest text is another number to Terraform, which has 512 bits. */
function exactText(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`a value is ${value}`);
  let whole = value;
  let halvings = 0;
  for (; !Number.isInteger(whole); halvings++) whole *= 2;
  return `${BigInt(whole) * 5n ** BigInt(halvings)}e-${halvings}`;
}

function readList(value: Unpacked): readonly Unpacked[] {
  if (Array.isArray(value)) return value;
  throw new Error('a value is no list');
}

function readMap(value: Unpacked): ReadonlyMap<string, Unpacked> {
  if (value instanceof Map) return value;
  throw new Error('a value is no object');
}
