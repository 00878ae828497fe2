// Reads a large body in a worker thread, which reports its mistakes. The value comes
// back as lines of JSON, which the thread that pages reads a few at a time.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import { isObject } from '../../resources/declaration/is-object.ts';
import { PROBLEMS_MAX } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { records } from '../../resources/index.ts';
import { invalid } from '../failures.ts';
import { readBody, readPatch } from '../records/body.ts';
import { readJson } from './read-json.ts';

/** Members of a list stand in one line until it is as long as that. */
const LINE_CHARS_MIN = 64 * 1024;
/** Read at a stretch: some 2 ms of work. */
const TURN_BYTES = 1024 * 1024;

/** What the body of a route is: of a record, all or some of its fields; else by its schema. */
export type BodyOf = {
  readonly schema?: TSchema;
  readonly record?: { readonly name: string; readonly isPatch: boolean };
};

type LargeBody = { readonly blocks: readonly Uint8Array[]; readonly of: BodyOf };

/** The first line; the others have members of its lists, which are empty in it. */
type Head = {
  readonly sha256: string;
  readonly value: unknown;
  /** The value was read as a whole, or at least its lists were; null: nothing was. */
  readonly read: 'whole' | 'lists' | null;
};

/** The task of a thread. Throws a `Refusal` with the mistakes. */
export function readLargeBody({ blocks, of }: LargeBody): Uint8Array {
  const bytes = Buffer.concat(blocks);
  const read = readAs(of, readJson(bytes));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return new TextEncoder().encode(linesOf({ sha256, ...read }).join('\n'));
}

/** What is read by a route of another kind may have less to do with the schema than that. */
function readAs({ schema, record }: BodyOf, value: unknown): Pick<Head, 'value' | 'read'> {
  const resource = records.find(({ name }) => name === record?.name);
  if (resource === undefined) {
    const read = schema === undefined ? null : readObject(schema, value);
    if (read?.ok === false && read.problems.length >= PROBLEMS_MAX) throw invalid(read.problems);
    return { value, read: null };
  }
  if (record?.isPatch) return { value: readPatch(resource, value), read: 'lists' };
  const { teamId, fields, problems } = readBody(resource, value);
  if (problems.length > 0) throw invalid(problems);
  return { value: { ...fields, ...(teamId !== null && { team_id: teamId }) }, read: 'whole' };
}

function linesOf(head: Head): readonly string[] {
  const { value } = head;
  if (!isObject(value)) return [JSON.stringify(head)];
  const emptied = Object.entries(value).map(([name, one]) => [name, isList(one) ? [] : one]);
  const lists = Object.entries(value).flatMap(([name, one]) =>
    isList(one) ? [{ name, one }] : [],
  );
  return [
    JSON.stringify({ ...head, value: Object.fromEntries(emptied) }),
    ...lists.flatMap(({ name, one }) => memberLines(name, one)),
  ];
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function memberLines(name: string, members: readonly unknown[]): readonly string[] {
  const lines: string[] = [];
  let line: string[] = [];
  let length = 0;
  for (const [index, one] of members.entries()) {
    const text = JSON.stringify(one);
    line.push(text);
    length += text.length;
    if (length < LINE_CHARS_MIN && index < members.length - 1) continue;
    lines.push(`[${JSON.stringify(name)},[${line.join()}]]`);
    line = [];
    length = 0;
  }
  return lines;
}

/** A body on the thread that pages. */
export type Body = {
  readonly value: unknown;
  /** The value, or lists in it, that were read and need not be again. */
  readonly asRead: ReadonlySet<unknown>;
  /** Tells it apart from others; absent: nobody has looked. */
  readonly sha256?: string;
};

/** Others have their turn in between. */
export async function bodyIn(lines: Uint8Array): Promise<Body> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  const [first, ...rest] = rangesIn(bytes);
  const textOf = ({ from, to }: Range) => bytes.toString('utf8', from, to);
  const { sha256, value, read }: Head = JSON.parse(textOf(first));
  let turnEndsAt = TURN_BYTES;
  for (const range of rest) {
    // Written by `linesOf`.
    const [name, members] = JSON.parse(textOf(range)) as [string, unknown[]];
    const list = (value as Record<string, unknown[]>)[name] as unknown[];
    for (const one of members) list.push(one);
    if (range.to < turnEndsAt) continue;
    turnEndsAt = range.to + TURN_BYTES;
    await setImmediate();
  }
  return { value, asRead: new Set(partsRead(value, read)), sha256 };
}

function partsRead(value: unknown, read: Head['read']): readonly unknown[] {
  if (read === 'whole') return [value];
  return read === 'lists' && isObject(value) ? Object.values(value).filter(isList) : [];
}

type Range = { readonly from: number; readonly to: number };

function rangesIn(bytes: Buffer): [Range, ...Range[]] {
  const newline = 0x0a;
  const endOf = (from: number) => {
    const end = bytes.indexOf(newline, from);
    return end < 0 ? bytes.length : end;
  };
  const ranges: [Range, ...Range[]] = [{ from: 0, to: endOf(0) }];
  for (let to = ranges[0].to; to < bytes.length; ) {
    const from = to + 1;
    to = endOf(from);
    ranges.push({ from, to });
  }
  return ranges;
}
