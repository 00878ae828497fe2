// Protocol buffers as far as plugins speak them: a message is a table of its fields, and from that
// table come its bytes and its TypeScript type.

type Scalars = { string: string; bytes: Uint8Array; bool: boolean; uint: number };
type Type = keyof Scalars | Table | (() => Table);

export type Field<T extends Type = Type, Label extends string = string> = {
  readonly number: number;
  readonly type: T;
  readonly label: Label;
};
export type Table = { readonly [name: string]: Field };

const field = <const Label extends string>(label: Label) =>
  function labelled<const T extends Type>(number: number, type: T): Field<T, Label> {
    return { number, type, label };
  };
export const one = field('one');
export const list = field('list');
/** By text. */
export const map = field('map');
export const string = (number: number) => one(number, 'string');
export const bytes = (number: number) => one(number, 'bytes');
export const bool = (number: number) => one(number, 'bool');
/** From 0 to 2^53 - 1; no number of the protocol is negative. */
export const uint = (number: number) => one(number, 'uint');

type TableOf<T> = T extends () => infer Later ? Later : T;

/** A message as it is read: what was not sent has its default, a message not sent is undefined. */
export type Message<T> = { readonly [Name in keyof T]: Read<T[Name]> };
type Read<F> =
  F extends Field<infer T, infer Label>
    ? Labelled<Label, ReadOne<T>> | (T extends keyof Scalars ? never : Missing<Label>)
    : never;
type ReadOne<T> = T extends keyof Scalars ? Scalars[T] : Message<TableOf<T>>;
type Missing<Label> = Label extends 'one' ? undefined : never;

/** A message as it is written: what is not given is not sent. */
export type Draft<T> = { readonly [Name in keyof T]?: Written<T[Name]> | undefined };
type Written<F> = F extends Field<infer T, infer Label> ? Labelled<Label, WrittenOne<T>> : never;
type WrittenOne<T> = T extends keyof Scalars ? Scalars[T] : Draft<TableOf<T>>;

type Labelled<Label, One> = Label extends 'list'
  ? readonly One[]
  : Label extends 'map'
    ? { readonly [key: string]: One }
    : One;

const wire = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;

const tableOf = (type: Table | (() => Table)): Table =>
  typeof type === 'function' ? type() : type;

const entryOf = (type: Type) => ({ key: string(1), value: one(2, type) });

type Kind = { readonly number: number; readonly type: Type };
type NamedField = Kind & { readonly name: string; readonly label: string };
type Shape = {
  readonly fields: readonly NamedField[];
  readonly byNumber: ReadonlyMap<number, NamedField>;
};

// Made once for each table: a plan of a thousand records is some ten thousand messages.
const shapes = new WeakMap<Table, Shape>();

function shapeOf(table: Table): Shape {
  const known = shapes.get(table);
  if (known) return known;
  const fields = Object.entries(table).map(([name, { number, type, label }]) => ({
    name,
    number,
    label,
    type: label === 'map' ? entryOf(type) : type,
  }));
  const shape = { fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
  shapes.set(table, shape);
  return shape;
}

/** What is given is written, defaults too: that is how one of several choices is told. */
export function encode<T extends Table>(table: T, message: Draft<T>): Buffer {
  const parts: Uint8Array[] = [];
  for (const { name, number, type, label } of shapeOf(table).fields) {
    const value = message[name];
    if (value === undefined) continue;
    for (const each of label === 'one' ? [value] : membersOf(label, value))
      putField(parts, { number, type }, each);
  }
  return Buffer.concat(parts);
}

const membersOf = (label: string, value: unknown): readonly unknown[] =>
  label === 'map'
    ? Object.entries(value as object).map(([key, each]) => ({ key, value: each }))
    : (value as readonly unknown[]);

// The tables' types make sure that a value fits its field; here only the tables are known.
function putField(parts: Uint8Array[], { number, type }: Kind, value: unknown): void {
  if (type === 'uint' || type === 'bool')
    parts.push(varint(number * 8 + wire.varint), varint(Number(value)));
  else {
    const content = contentOf(type, value);
    parts.push(varint(number * 8 + wire.length), varint(content.length), content);
  }
}

function contentOf(type: Exclude<Type, 'uint' | 'bool'>, value: unknown): Uint8Array {
  if (type === 'string') return Buffer.from(value as string);
  if (type === 'bytes') return value as Uint8Array;
  return encode(tableOf(type), value as Draft<Table>);
}

function safe(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`${value} is not from 0 to 2^53 - 1`);
}

function varint(value: number): Buffer {
  const digits: number[] = [];
  let rest = safe(value);
  while (rest >= 0x80) {
    digits.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...digits, rest]);
}

type Cursor = { readonly bytes: Buffer; at: number };

/** Fields that the table does not know are passed over: they come from newer versions. */
export function decode<T extends Table>(table: T, bytes: Uint8Array): Message<T> {
  const cursor = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  const { fields, byNumber } = shapeOf(table);
  const message: Record<string, unknown> = {};
  for (const field of fields) message[field.name] = notSent(field);
  while (cursor.at < cursor.bytes.length) {
    const tag = readVarint(cursor);
    const content = readContent(cursor, tag % 8);
    const field = byNumber.get(Math.floor(tag / 8));
    if (field !== undefined) put(message, field, interpreted(field.type, content));
  }
  // The table says what each field is read as.
  return message as Message<T>;
}

const defaults: Scalars = { string: '', bytes: Buffer.alloc(0), bool: false, uint: 0 };

function notSent({ type, label }: NamedField): unknown {
  if (label === 'list') return [];
  if (label === 'map') return {};
  return typeof type === 'string' ? defaults[type] : undefined;
}

type Entry = { readonly key: string; readonly value: unknown };

function put(message: Record<string, unknown>, { name, label }: NamedField, value: unknown): void {
  const before = message[name];
  if (label === 'list') (before as unknown[]).push(value);
  else if (label === 'map') {
    const { key, value: one } = value as Entry;
    // Not assigned, because a key may be __proto__.
    const own = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(before, key, { value: one, ...own });
  } else message[name] = value;
}

function interpreted(type: Type, content: Buffer | number): unknown {
  const isNumber = type === 'uint' || type === 'bool';
  if (isNumber !== (typeof content === 'number')) throw new Error('a field is of another type');
  if (type === 'bool') return content !== 0;
  if (typeof content === 'number') return safe(content);
  if (type === 'string') return content.toString();
  return typeof type === 'string' ? content : decode(tableOf(type), content);
}

function readContent(cursor: Cursor, wireType: number): Buffer | number {
  switch (wireType) {
    case wire.varint:
      return readVarint(cursor);
    case wire.fixed64:
      return take(cursor, 8);
    case wire.length:
      return take(cursor, readVarint(cursor));
    case wire.fixed32:
      return take(cursor, 4);
    default:
      throw new Error(`there is no wire type ${wireType}`);
  }
}

function take(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new Error('the message ends inside a field');
  const content = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return content;
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let factor = 1; factor < 2 ** 64; factor *= 0x80) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new Error('the message ends inside a field');
    cursor.at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
  }
  throw new Error('a number does not end');
}
