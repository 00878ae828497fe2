import { spend } from './effort.ts';

// SHA-256 (FIPS 180-4), written out because this folder is free of the runtime's own modules.

const HASH_WORK = 150;
const ROUNDS = 64;
const BLOCK_BYTES = 64;

const primes = firstPrimes(ROUNDS);
const roundConstants = Uint32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));
const startValues = Uint32Array.from(primes.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));

/** A short name for a text: the first 128 bits of its SHA-256 in hex. */
export function shortHash(text: string): string {
  spend(HASH_WORK + text.length);
  return sha256(new TextEncoder().encode(text)).slice(0, 32);
}

/** SHA-256 in lowercase hex. */
export function sha256(bytes: Uint8Array): string {
  const state = Uint32Array.from(startValues);
  const schedule = new Uint32Array(ROUNDS);
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) {
    for (let word = 0; word < 16; word += 1) schedule[word] = view.getUint32(offset + word * 4);
    mix(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function mix(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < ROUNDS; i += 1) {
    const early = at(w, i - 15);
    const late = at(w, i - 2);
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(roundConstants, i) + at(w, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (const [index, word] of mixed.entries()) state[index] = at(state, index) + word;
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const list: number[] = [];
  for (let candidate = 2; list.length < count; candidate += 1)
    if (list.every((prime) => candidate % prime !== 0)) list.push(candidate);
  return list;
}
