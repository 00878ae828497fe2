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
  const room = { bytes: Buffer.allocUnsafe(1_024), at: 0 };
  put(value, room);
  return room.bytes.subarray(0, room.at);
}

type Room = { bytes: Buffer; at: number };

/** Where that many bytes can be written next. */
function claim(room: Room, length: number): number {
  const at = room.at;
  room.at += length;
  if (room.at > room.bytes.length) {
    const wider = Buffer.allocUnsafe(room.at * 2);
    room.bytes.copy(wider, 0, 0, at);
    room.bytes = wider;
  }
  return at;
}

function put(value: Packable, room: Room): void {
  if (value === null) putByte(0xc0, room);
  else if (typeof value === 'boolean') putByte(value ? 0xc3 : 0xc2, room);
  else if (typeof value === 'number') putInteger(value, room);
  else if (typeof value === 'string') putText(value, room);
  else if (value instanceof Uint8Array) {
    putHead(0xc6, value.length, room);
    putBytes(value, room);
  } else if (value instanceof Extension) putExtension(value, room);
  else if (value instanceof Map) putMap(value, room);
  else putList(value as readonly Packable[], room);
}

function putByte(byte: number, room: Room): void {
  const at = claim(room, 1);
  room.bytes[at] = byte;
}

function putBytes(content: Uint8Array, room: Room): void {
  const at = claim(room, content.length);
  room.bytes.set(content, at);
}

/** A form and the length of what follows. */
function putHead(form: number, length: number, room: Room): void {
  putByte(form, room);
  const at = claim(room, 4);
  room.bytes.writeUInt32BE(length, at);
}

function putInteger(value: number, room: Room): void {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe integer`);
  putByte(0xd3, room);
  const at = claim(room, 8);
  room.bytes.writeBigInt64BE(BigInt(value), at);
}

function putText(text: string, room: Room): void {
  const length = Buffer.byteLength(text);
  putHead(0xdb, length, room);
  const at = claim(room, length);
  room.bytes.write(text, at, length);
}

function putExtension({ type, content }: Extension, room: Room): void {
  if (content.length === 1) putByte(0xd4, room);
  else putHead(0xc9, content.length, room);
  putByte(type & 0xff, room);
  putBytes(content, room);
}

function putList(list: readonly Packable[], room: Room): void {
  putHead(0xdd, list.length, room);
  for (const value of list) put(value, room);
}

function putMap(map: ReadonlyMap<string, Packable>, room: Room): void {
  putHead(0xdf, map.size, room);
  for (const [key, value] of map) {
    putText(key, room);
    put(value, room);
  }
}

type Cursor = { readonly bytes: Buffer; at: number };

export function unpack(bytes: Uint8Array): Unpacked {
  const cursor = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  const value = next(cursor);
  if (cursor.at < bytes.length) throw new Error('there is more than one value');
  return value;
}

function next(cursor: Cursor): Unpacked {
  const form = unsigned(cursor, 1);
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

/** Where the skipped bytes begin. */
function skip(cursor: Cursor, length: number): number {
  const start = cursor.at;
  if (start + length > cursor.bytes.length) throw new Error('the value ends too early');
  cursor.at += length;
  return start;
}

function take(cursor: Cursor, length: number): Buffer {
  const start = skip(cursor, length);
  return cursor.bytes.subarray(start, cursor.at);
}

const unsigned = (cursor: Cursor, length: 1 | 2 | 4) =>
  cursor.bytes.readUIntBE(skip(cursor, length), length);

const safe = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

function takeText(cursor: Cursor, length: number): string {
  const start = skip(cursor, length);
  return cursor.bytes.toString('utf8', start, cursor.at);
}

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
