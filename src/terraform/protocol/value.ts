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
  | readonly ['object', Types];
type Types = { readonly [name: string]: Type };

/** What is known only after apply. Terraform may have said more about it, which is passed on. */
export class Unknown {
  readonly refinement: Extension;
  constructor(refinement: Extension = noRefinement) {
    this.refinement = refinement;
  }
}
const noRefinement = new Extension(0, Uint8Array.of(0));

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
  if (value instanceof Unknown) return value.refinement;
  if (typeof type === 'string') return packableScalar(type, value);
  const [kind, inner] = type;
  switch (kind) {
    case 'list':
    case 'set':
      return members(value).map((member) => packable(inner, member));
    case 'tuple':
      return members(value).map((member, index) => packable(typeAt(inner, index), member));
    case 'map':
      return packableMap(inner, fieldsOf(value));
    case 'object':
      return packableObject(inner, fieldsOf(value));
  }
}

function packableMap(type: Type, fields: Fields): Packable {
  const map = new Map<string, Packable>();
  for (const [key, each] of Object.entries(fields)) map.set(key, packable(type, each));
  return map;
}

function packableObject(types: Types, fields: Fields): Packable {
  const object = new Map<string, Packable>();
  for (const [name, type] of Object.entries(types))
    object.set(name, packable(type, Object.hasOwn(fields, name) ? (fields[name] ?? null) : null));
  return object;
}

function packableScalar(type: Type & string, value: Value): Packable {
  if (type === 'dynamic' && value instanceof Dynamic)
    return [Buffer.from(JSON.stringify(value.type)), packable(value.type, value.value)];
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'number' && value instanceof Decimal) return value.text;
  if (type === 'number' && typeof value === 'number')
    return Number.isSafeInteger(value) ? value : String(value);
  throw new Error(`a value is not of the type ${type}`);
}

function members(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  throw new Error('a value is not a list');
}

function fieldsOf(value: Value): Fields {
  // Nothing else of a value is an object.
  if (typeof value === 'object' && !Array.isArray(value)) return value as Fields;
  throw new Error('a value is not an object');
}

function typeAt(types: readonly Type[], index: number): Type {
  const type = types[index];
  if (type === undefined) throw new Error('a tuple has too many members');
  return type;
}

export const decodeValue = (type: Type, bytes: Uint8Array): Value => read(type, unpack(bytes));

/** What Terraform keeps in its state file. */
export function decodeJson(type: Type, json: string): Value {
  // Only where it matters, for a reviver is called with every value there is.
  return readParsed(type, JSON.parse(json, inexact.test(json) ? exactly : undefined));
}

/** A number that may be no safe integer. Text that looks alike does no harm. */
const inexact = /(?:^|[[:,])\s*-?(?:\d+[.e]|\d{16})/i;

// Node 20 does not tell the source: there, what is not a safe integer is rounded.
const exactly = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === 'number' ? (context?.source ?? value) : value;

/** What was parsed of JSON, by its type. */
export const readParsed = (type: Type, json: unknown): Value => read(type, json as Json);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** Of which MessagePack has maps, and JSON has objects. */
type Readable = Unpacked | Json;
type Named = Map<string, Readable> | { readonly [name: string]: Readable };

function read(type: Type, value: Readable): Value {
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
      return readMap(inner, value);
    case 'object':
      return readObject(inner, value);
  }
}

function readMap(type: Type, value: Readable): Value {
  const members = readNamed(value);
  const map: Fields = {};
  for (const [key, each] of members instanceof Map ? members : Object.entries(members))
    define(map, key, read(type, each));
  return map;
}

function readObject(types: Types, value: Readable): Value {
  const members = readNamed(value);
  const object: Fields = {};
  for (const [name, type] of Object.entries(types))
    define(object, name, read(type, memberOf(members, name) ?? null));
  return object;
}

type Fields = { [name: string]: Value };

function define(fields: Fields, name: string, value: Value): void {
  if (name !== '__proto__') fields[name] = value;
  // An assignment would change what it inherits.
  else Object.defineProperty(fields, name, { ...asAssigned, value });
}
const asAssigned = { configurable: true, enumerable: true, writable: true };

function readScalar(type: Type & string, value: Readable): Value {
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'bool' && typeof value === 'boolean') return value;
  if (type === 'number') return readNumber(value);
  if (type === 'dynamic' && Array.isArray(value)) {
    const [itsType, itsValue] = value;
    // Terraform sends the type in the very notation.
    const own = JSON.parse(Buffer.from(itsType as Uint8Array).toString()) as Type;
    return new Dynamic(own, read(own, itsValue ?? null));
  }
  throw new Error(`a value is not of the type ${type}`);
}

function readNumber(value: Readable): Value {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? value : new Decimal(exactText(value));
  if (typeof value === 'bigint') return new Decimal(String(value));
  if (typeof value !== 'string' || !decimal.test(value)) throw new Error('a value is not a number');
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

function readList(value: Readable): readonly Readable[] {
  if (Array.isArray(value)) return value;
  throw new Error('a value is not a list');
}

function readNamed(value: Readable): Named {
  if (value instanceof Map) return value;
  if (typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array))
    return value as Named;
  throw new Error('a value is not an object');
}

function memberOf(members: Named, name: string): Readable | undefined {
  if (members instanceof Map) return members.get(name);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
