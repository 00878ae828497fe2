// QR codes (ISO/IEC 18004) of texts: bytes, error correction M, versions 1 to 13, mask by penalty.

/** By version: codewords of error correction in a block, and how many blocks there are. */
const BLOCKS = [
  ...[
    [10, 1],
    [16, 1],
    [26, 1],
    [18, 2],
    [24, 2],
    [16, 4],
    [18, 4],
    [22, 4],
    [22, 5],
    [26, 5],
  ],
  ...[
    [30, 5],
    [22, 8],
    [22, 9],
  ],
] as const;
const PAD = [0xec, 0x11];
const FINDER_RULE = [1, 0, 1, 1, 1, 0, 1];
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Rows of modules; true is dark. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, index) => fits(bytes.length, index + 1)) + 1;
  if (version === 0) throw new Error(`a text of ${bytes.length} bytes is too long for a QR code`);
  const codewords = interleaved(dataCodewords(bytes, version), version);
  const all = MASKS.map((mask, index) => drawn(version, codewords, { mask, index }));
  const penalties = all.map(penaltyOf);
  const best = penalties.indexOf(Math.min(...penalties));
  return (all[best] as Grid).map((row) => row.map((module) => module === 1));
}

/** A square drawing with its quiet zone: what the attribute `d` of one path has. */
export function qrPath(text: string): { readonly size: number; readonly path: string } {
  const quiet = 4;
  const rows = qrCode(text);
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      const width = (end < 0 ? row.length : end) - x;
      return [`M${x + quiet} ${y + quiet}h${width}v1h-${width}z`];
    }),
  );
  return { size: rows.length + 2 * quiet, path: runs.join('') };
}

type Grid = (0 | 1)[][];

const sizeOf = (version: number) => version * 4 + 17;

/** Bits for data and error correction. */
function rawBits(version: number): number {
  let bits = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const around = Math.floor(version / 7) + 2;
    bits -= (25 * around - 10) * around - 55;
    if (version >= 7) bits -= 36;
  }
  return bits;
}

function blocksOf(version: number) {
  const [correction, blocks] = BLOCKS[version - 1] ?? [0, 1];
  const all = Math.floor(rawBits(version) / 8);
  return { correction, blocks, all, data: all - correction * blocks };
}

const lengthBits = (version: number) => (version < 10 ? 8 : 16);
const fits = (bytes: number, version: number) =>
  4 + lengthBits(version) + 8 * bytes <= 8 * blocksOf(version).data;

function dataCodewords(bytes: Uint8Array, version: number): number[] {
  const bit = (value: number, width: number) => value.toString(2).padStart(width, '0');
  const bits = `0100${bit(bytes.length, lengthBits(version))}${[...bytes].map((byte) => bit(byte, 8)).join('')}`;
  const capacity = 8 * blocksOf(version).data;
  const ended = bits + '0'.repeat(Math.min(4, capacity - bits.length));
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0');
  const words = (whole.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  for (let index = 0; words.length < capacity / 8; index += 1) words.push(PAD[index % 2] ?? 0);
  return words;
}

function interleaved(data: readonly number[], version: number): number[] {
  const { correction, blocks, all } = blocksOf(version);
  const short = Math.floor(all / blocks) - correction;
  const shortBlocks = blocks - (all % blocks);
  const divisor = divisorOf(correction);
  let at = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const length = short + (index < shortBlocks ? 0 : 1);
    const own = data.slice(at, at + length);
    at += length;
    return { own, check: remainder(own, divisor) };
  });
  const columns = (length: number, of: (part: (typeof parts)[number]) => readonly number[]) =>
    Array.from({ length }, (_, index) => parts.flatMap((part) => of(part)[index] ?? [])).flat();
  return [...columns(short + 1, ({ own }) => own), ...columns(correction, ({ check }) => check)];
}

/** In the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((y >>> bit) & 1) * x;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1)
      result[index] = times(result[index] ?? 0, root) ^ (result[index + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0);
    result.push(0);
    for (const [index, coefficient] of divisor.entries())
      result[index] = (result[index] ?? 0) ^ times(coefficient, factor);
  }
  return result;
}

type Mask = { readonly mask: (x: number, y: number) => boolean; readonly index: number };

function drawn(version: number, codewords: readonly number[], { mask, index }: Mask): Grid {
  const size = sizeOf(version);
  const grid: Grid = Array.from({ length: size }, () => Array<0 | 1>(size).fill(0));
  const fixed: boolean[][] = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const set = (x: number, y: number, dark: boolean) => {
    const [row, fixedRow] = [grid[y], fixed[y]];
    if (!row || !fixedRow || x < 0 || x >= size) return;
    row[x] = dark ? 1 : 0;
    fixedRow[x] = true;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const square = (x: number, y: number, radius: number, light: (far: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy += 1)
      for (let dx = -radius; dx <= radius; dx += 1)
        set(x + dx, y + dy, !light(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (far) => far === 2 || far === 4);
  const places = alignmentPlaces(version);
  const last = places.length - 1;
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries()) {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!isCorner) square(x, y, 2, (far) => far === 1);
    }
  drawFormat(set, size, index);
  drawVersion(set, size, version);
  drawData(grid, fixed, { codewords, mask });
  return grid;
}

type Set = (x: number, y: number, dark: boolean) => void;
const bitOf = (value: number, bit: number) => ((value >>> bit) & 1) === 1;

/** Error correction M is 0. */
function drawFormat(set: Set, size: number, mask: number): void {
  let rest = mask;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  for (let bit = 0; bit <= 5; bit += 1) set(8, bit, bitOf(bits, bit));
  set(8, 7, bitOf(bits, 6));
  set(8, 8, bitOf(bits, 7));
  set(7, 8, bitOf(bits, 8));
  for (let bit = 9; bit < 15; bit += 1) set(14 - bit, 8, bitOf(bits, bit));
  for (let bit = 0; bit < 8; bit += 1) set(size - 1 - bit, 8, bitOf(bits, bit));
  for (let bit = 8; bit < 15; bit += 1) set(8, size - 15 + bit, bitOf(bits, bit));
  set(8, size - 8, true);
}

function drawVersion(set: Set, size: number, version: number): void {
  if (version < 7) return;
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let bit = 0; bit < 18; bit += 1) {
    const [a, b] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
    set(a, b, bitOf(bits, bit));
    set(b, a, bitOf(bits, bit));
  }
}

function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const places = Array.from(
    { length: count - 1 },
    (_, index) => sizeOf(version) - 7 - index * step,
  );
  return [6, ...places.reverse()];
}

type Data = Pick<Mask, 'mask'> & { readonly codewords: readonly number[] };

/** In columns of two, up and down by turns from the right. */
function drawData(grid: Grid, fixed: readonly boolean[][], { codewords, mask }: Data): void {
  const size = grid.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step;
        const row = grid[y];
        if (!row || fixed[y]?.[x]) continue;
        const dark = bitOf(codewords[at >>> 3] ?? 0, 7 - (at & 7));
        at += 1;
        row[x] = dark !== mask(x, y) ? 1 : 0;
      }
  }
}

function penaltyOf(grid: Grid): number {
  const size = grid.length;
  const columns = grid.map((_, x) => grid.map((row) => row[x] ?? 0));
  let penalty = 0;
  for (const line of [...grid, ...columns]) {
    for (const run of line.join('').match(/0+|1+/g) ?? [])
      if (run.length >= 5) penalty += run.length - 2;
    const framed = [...Array<number>(4).fill(0), ...line, ...Array<number>(4).fill(0)].join('');
    for (const rule of [`0000${FINDER_RULE.join('')}`, `${FINDER_RULE.join('')}0000`])
      for (let at = framed.indexOf(rule); at >= 0; at = framed.indexOf(rule, at + 1)) penalty += 40;
  }
  for (const [y, row] of grid.slice(0, -1).entries())
    for (let x = 0; x < size - 1; x += 1) {
      const sum =
        (row[x] ?? 0) + (row[x + 1] ?? 0) + (grid[y + 1]?.[x] ?? 0) + (grid[y + 1]?.[x + 1] ?? 0);
      if (sum % 4 === 0) penalty += 3;
    }
  const dark = grid.flat().filter((module) => module === 1).length;
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}
