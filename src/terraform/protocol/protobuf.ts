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

/** What is given is written, defaults too: that is how one of several choices is told. */
export function encode<T extends Table>(table: T, message: Draft<T>): Buffer {
  const parts = Object.entries(table).flatMap(([name, field]) => {
    const value = message[name];
    return value === undefined ? [] : fieldParts(field, value);
  });
  return Buffer.concat(parts);
}

function fieldParts({ number, type, label }: Field, value: unknown): Uint8Array[] {
  if (label === 'list') return (value as unknown[]).flatMap((each) => parts(number, type, each));
  if (label === 'map')
    return Object.entries(value as object).flatMap(([key, each]) =>
      parts(number, entryOf(type), { key, value: each }),
    );
  return parts(number, type, value);
}

// The tables' types make sure that a value fits its field; here only the tables are known.
function parts(number: number, type: Type, value: unknown): Uint8Array[] {
  if (type === 'uint' || type === 'bool')
    return [varint(number * 8 + wire.varint), varint(Number(value))];
  const content = contentOf(type, value);
  return [varint(number * 8 + wire.length), varint(content.length), content];
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
  const types = new Map(
    Object.values(table).map(({ number, type, label }) => [
      number,
      label === 'map' ? entryOf(type) : type,
    ]),
  );
  const read = new Map([...types.keys()].map((number): [number, unknown[]] => [number, []]));
  while (cursor.at < cursor.bytes.length) {
    const tag = readVarint(cursor);
    const number = Math.floor(tag / 8);
    const content = readContent(cursor, tag % 8);
    const type = types.get(number);
    if (type !== undefined) read.get(number)?.push(interpreted(type, content));
  }
  const fields = Object.entries(table).map(([name, field]) => [
    name,
    labelled(field, read.get(field.number) ?? []),
  ]);
  // The table says what each field is read as.
  return Object.fromEntries(fields) as Message<T>;
}

const defaults: Scalars = { string: '', bytes: Buffer.alloc(0), bool: false, uint: 0 };

function labelled({ type, label }: Field, values: readonly unknown[]): unknown {
  if (label === 'list') return values;
  if (label === 'map')
    return Object.fromEntries((values as Entry[]).map(({ key, value }) => [key, value]));
  return values.at(-1) ?? (typeof type === 'string' ? defaults[type] : undefined);
}

type Entry = { readonly key: string; readonly value: unknown };

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
  for (let place = 1; place < 2 ** 64; place *= 0x80) {
    const [byte = 0] = take(cursor, 1);
    value += (byte & 0x7f) * place;
    if (byte < 0x80) return value;
  }
  throw new Error('a number does not end');
}
