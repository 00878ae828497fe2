// The shared libraries that an ELF executable for 64-bit Linux needs.

const DYNAMIC_SEGMENT = 2;
const LOADED_SEGMENT = 1;
const NEEDED_TAG = 1n;
const STRING_TABLE_TAG = 5n;

type Segment = { readonly type: number; readonly offset: number; readonly address: bigint };

export function neededLibraries(file: Buffer): readonly string[] {
  const segments = segmentsOf(file);
  const dynamic = segments.find(({ type }) => type === DYNAMIC_SEGMENT);
  if (dynamic === undefined) return [];
  const entries: { readonly tag: bigint; readonly value: bigint }[] = [];
  for (let at = dynamic.offset; ; at += 16) {
    const [tag, value] = [file.readBigUInt64LE(at), file.readBigUInt64LE(at + 8)];
    if (tag === 0n) break;
    entries.push({ tag, value });
  }
  const table = entries.find(({ tag }) => tag === STRING_TABLE_TAG)?.value ?? 0n;
  const names = offsetOf(table, segments);
  return entries
    .filter(({ tag }) => tag === NEEDED_TAG)
    .map(({ value }) => textAt(file, names + Number(value)))
    .sort();
}

function segmentsOf(file: Buffer): readonly Segment[] {
  const start = Number(file.readBigUInt64LE(32));
  const size = file.readUInt16LE(54);
  return Array.from({ length: file.readUInt16LE(56) }, (_, nth) => {
    const at = start + nth * size;
    return {
      type: file.readUInt32LE(at),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: file.readBigUInt64LE(at + 16),
    };
  });
}

/** Where in the file that is which is loaded at an address. */
function offsetOf(address: bigint, segments: readonly Segment[]): number {
  const segment = segments.findLast(
    (each) => each.type === LOADED_SEGMENT && each.address <= address,
  );
  if (segment === undefined) throw new Error(`nothing is loaded at ${address}`);
  return segment.offset + Number(address - segment.address);
}

const textAt = (file: Buffer, start: number): string =>
  file.toString('latin1', start, file.indexOf(0, start));
