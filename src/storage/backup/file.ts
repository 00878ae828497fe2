// The format of a backup (docs/decisions/0035-backups.md): a line with its version, a line of JSON
// that says what is in it, the rows of each table as PostgreSQL copies them, compressed, and a
// digest of all that.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { pipeline as pipelineDone } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { databaseLimits } from '../../limits/database.ts';
import type { Applied } from '../database/migrate.ts';
import type { SequenceState, Table } from './tables.ts';

const MAGIC = 'pager backup 1';
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** Rows are gathered to pieces of at least so many bytes. */
const PIECE_BYTES = 65_536;

export type Header = {
  readonly created_at: string;
  /** Of the secret key without which nothing encrypted in it can be read. */
  readonly fingerprint: string;
  /** Those that had made the schema. */
  readonly migrations: readonly Applied[];
  /** Those that others point to come first. */
  readonly tables: readonly Table[];
  readonly sequences: readonly SequenceState[];
};

export type Rows = AsyncIterable<Buffer>;

export type Backup = AsyncDisposable & {
  readonly header: Header;
  readonly bytes: number;
  /** From the first on, for each table of the header in turn. */
  read(): AsyncGenerator<Rows>;
};

/** It is not a backup, or no longer the one that was made. */
export class UnreadableBackup extends Error {}

type Content = { readonly header: Header; readonly tables: AsyncIterable<Rows> };

/** Writes it through to the disk; answers its size. */
export async function writeBackup(path: string, { header, tables }: Content): Promise<number> {
  await using file = await open(path, 'w', 0o600);
  await file.chmod(0o600);
  const digest = createHash('sha256');
  const write = async (bytes: Uint8Array) => {
    digest.update(bytes);
    await file.writeFile(bytes);
  };
  await write(Buffer.from(`${MAGIC}\n${JSON.stringify(header)}\n`));
  await pipelineDone(framePieces(tables), createZstdCompress(), async (compressed) => {
    for await (const bytes of compressed) await write(bytes);
  });
  await file.writeFile(digest.digest());
  await file.sync();
  return (await file.stat()).size;
}

/** Refuses what is not whole, before anything is done with it. */
export async function openBackup(path: string): Promise<Backup> {
  await using stack = new AsyncDisposableStack();
  const file = stack.use(await open(path, 'r'));
  const { size } = await file.stat();
  const { text, end: start } = await readHead(file);
  const end = size - DIGEST_BYTES;
  if (end < start || !(await digestOf(file, end)).equals(await readPart(file, end, DIGEST_BYTES)))
    throw new UnreadableBackup('it is damaged, or cut off');
  const opened = stack.move();
  return {
    // What has the right digest is as it was written.
    header: JSON.parse(text),
    bytes: size,
    read() {
      const stream = bytesOf(file, { start, end });
      // Else the file would wait for a reader that gave up.
      opened.defer(() => void stream.destroy());
      return tablesIn(piecesOf(decompressed(stream)));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function readHead(file: FileHandle): Promise<{ text: string; end: number }> {
  const head = await readPart(file, 0, databaseLimits.backupHeadBytes);
  const first = head.indexOf('\n');
  const version = head.toString('utf8', 0, Math.max(0, first));
  if (version !== MAGIC && /^pager backup \d+$/.test(version))
    throw new UnreadableBackup(`its format (${version}) is of another version of Pager`);
  const second = head.indexOf('\n', first + 1);
  if (version !== MAGIC || second < 0) throw new UnreadableBackup('it is no backup of Pager');
  return { text: head.toString('utf8', first + 1, second), end: second + 1 };
}

async function readPart(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}

async function digestOf(file: FileHandle, end: number): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const bytes of bytesOf(file, { start: 0, end })) digest.update(bytes);
  return digest.digest();
}

type Part = { readonly start: number; readonly end: number };

/** The end of a stream is its last byte; here it is the first that is no longer of it. */
const bytesOf = (file: FileHandle, { start, end }: Part) =>
  file.createReadStream({ start, end: end - 1, autoClose: false });

/** A failure of either ends both, and whoever reads hears of it. */
const decompressed = (compressed: NodeJS.ReadableStream): AsyncIterable<Buffer> =>
  pipeline(compressed, createZstdDecompress(), () => undefined);

/** Each piece has its length before it; an empty one ends a table. */
async function* framePieces(tables: AsyncIterable<Rows>): AsyncGenerator<Buffer> {
  for await (const rows of tables) {
    let pending: Buffer[] = [];
    let bytes = 0;
    for await (const row of rows) {
      pending.push(row);
      bytes += row.length;
      if (bytes < PIECE_BYTES) continue;
      yield framePiece(pending);
      pending = [];
      bytes = 0;
    }
    if (bytes > 0) yield framePiece(pending);
    yield framePiece([]);
  }
}

function framePiece(rows: readonly Buffer[]): Buffer {
  const piece = Buffer.concat([Buffer.alloc(LENGTH_BYTES), ...rows]);
  piece.writeUInt32BE(piece.length - LENGTH_BYTES);
  return piece;
}

async function* piecesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readUInt32BE(0);
      if (rest.length < end) break;
      yield rest.subarray(LENGTH_BYTES, end);
      rest = rest.subarray(end);
    }
  }
}

/** Each must be read to its end before the next. */
async function* tablesIn(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Rows> {
  for (;;) yield rowsIn(pieces);
}

async function* rowsIn(pieces: AsyncGenerator<Buffer>): Rows & AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) throw new UnreadableBackup('it ends before its last table');
    if (value.length === 0) return;
    yield value;
  }
}
