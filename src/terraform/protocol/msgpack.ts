// MessagePack: reads every form there is, writes one of each kind.

/** A value of somebody's own type; Terraform uses them for what is not known yet. */
export class Extension {
  readonly type: number;
  readonly content: Uint8Array;
  constructor(type: number, content: Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

type Scalar = null | boolean | number | string | Uint8Array | Extension;

/** Numbers are safe integers; others have no exact form here. */
export type Packable = Scalar | readonly Packable[] | ReadonlyMap<string, Packable>;
/** A bigint is an integer that is not safe. */
export type Unpacked = Scalar | bigint | readonly Unpacked[] | ReadonlyMap<string, Unpacked>;

export function pack(value: Packable): Buffer {
  const parts: Uint8Array[] = [];
  put(value, parts);
  return Buffer.concat(parts);
}

function put(value: Packable, parts: Uint8Array[]): void {
  if (value === null) parts.push(Buffer.of(0xc0));
  else if (typeof value === 'boolean') parts.push(Buffer.of(value ? 0xc3 : 0xc2));
  else if (typeof value === 'number') parts.push(integer(value));
  else if (typeof value === 'string') {
    const content = Buffer.from(value);
    parts.push(sized(0xdb, content.length), content);
  } else if (value instanceof Uint8Array) parts.push(sized(0xc6, value.length), value);
  else if (value instanceof Extension) parts.push(extensionHead(value), value.content);
  else if (value instanceof Map) putMap(value, parts);
  else putList(value as readonly Packable[], parts);
}

function putList(list: readonly Packable[], parts: Uint8Array[]): void {
  parts.push(sized(0xdd, list.length));
  for (const value of list) put(value, parts);
}

function putMap(map: ReadonlyMap<string, Packable>, parts: Uint8Array[]): void {
  parts.push(sized(0xdf, map.size));
  for (const [key, value] of map) {
    put(key, parts);
    put(value, parts);
  }
}

function integer(value: number): Buffer {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe integer`);
  const bytes = Buffer.alloc(9, 0xd3);
  bytes.writeBigInt64BE(BigInt(value), 1);
  return bytes;
}

function sized(form: number, length: number): Buffer {
  const bytes = Buffer.alloc(5, form);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

function extensionHead({ type, content }: Extension): Buffer {
  if (content.length === 1) return Buffer.of(0xd4, type & 0xff);
  return Buffer.concat([sized(0xc9, content.length), Buffer.of(type & 0xff)]);
}

type Cursor = { readonly bytes: Buffer; at: number };

export function unpack(bytes: Uint8Array): Unpacked {
  const cursor = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  const value = next(cursor);
  if (cursor.at < bytes.length) throw new Error('there is more than one value');
  return value;
}

function next(cursor: Cursor): Unpacked {
  const [form = 0] = take(cursor, 1);
  if (form < 0x80) return form;
  if (form >= 0xe0) return form - 0x100;
  if (form < 0x90) return takeMap(cursor, form & 0x0f);
  if (form < 0xa0) return takeList(cursor, form & 0x0f);
  if (form < 0xc0) return takeText(cursor, form & 0x1f);
  const read = forms[form];
  if (read === undefined) throw new Error(`there is no form ${form}`);
  return read(cursor);
}

/** The forms of a whole byte: 0xc0 to 0xdf. */
const forms: Readonly<Record<number, (cursor: Cursor) => Unpacked>> = {
  192: () => null,
  194: () => false,
  195: () => true,
  196: (cursor) => take(cursor, unsigned(cursor, 1)),
  197: (cursor) => take(cursor, unsigned(cursor, 2)),
  198: (cursor) => take(cursor, unsigned(cursor, 4)),
  199: (cursor) => takeExtension(cursor, unsigned(cursor, 1)),
  200: (cursor) => takeExtension(cursor, unsigned(cursor, 2)),
  201: (cursor) => takeExtension(cursor, unsigned(cursor, 4)),
  202: (cursor) => take(cursor, 4).readFloatBE(),
  203: (cursor) => take(cursor, 8).readDoubleBE(),
  204: (cursor) => unsigned(cursor, 1),
  205: (cursor) => unsigned(cursor, 2),
  206: (cursor) => unsigned(cursor, 4),
  207: (cursor) => safe(take(cursor, 8).readBigUInt64BE()),
  208: (cursor) => take(cursor, 1).readInt8(),
  209: (cursor) => take(cursor, 2).readInt16BE(),
  210: (cursor) => take(cursor, 4).readInt32BE(),
  211: (cursor) => safe(take(cursor, 8).readBigInt64BE()),
  212: (cursor) => takeExtension(cursor, 1),
  213: (cursor) => takeExtension(cursor, 2),
  214: (cursor) => takeExtension(cursor, 4),
  215: (cursor) => takeExtension(cursor, 8),
  216: (cursor) => takeExtension(cursor, 16),
  217: (cursor) => takeText(cursor, unsigned(cursor, 1)),
  218: (cursor) => takeText(cursor, unsigned(cursor, 2)),
  219: (cursor) => takeText(cursor, unsigned(cursor, 4)),
  220: (cursor) => takeList(cursor, unsigned(cursor, 2)),
  221: (cursor) => takeList(cursor, unsigned(cursor, 4)),
  222: (cursor) => takeMap(cursor, unsigned(cursor, 2)),
  223: (cursor) => takeMap(cursor, unsigned(cursor, 4)),
};

function take(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new Error('the value ends too early');
  const content = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return content;
}

const unsigned = (cursor: Cursor, length: 1 | 2 | 4) => take(cursor, length).readUIntBE(0, length);

const safe = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

const takeText = (cursor: Cursor, length: number) => take(cursor, length).toString();

function takeExtension(cursor: Cursor, length: number): Extension {
  const type = take(cursor, 1).readInt8();
  return new Extension(type, take(cursor, length));
}

function takeList(cursor: Cursor, length: number): Unpacked[] {
  const list: Unpacked[] = [];
  for (let index = 0; index < length; index++) list.push(next(cursor));
  return list;
}

function takeMap(cursor: Cursor, length: number): Map<string, Unpacked> {
  const map = new Map<string, Unpacked>();
  for (let index = 0; index < length; index++) {
    const key = next(cursor);
    if (typeof key !== 'string') throw new Error('a key is not text');
    map.set(key, next(cursor));
  }
  return map;
}
