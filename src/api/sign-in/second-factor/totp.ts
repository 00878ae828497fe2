// Codes that change every 30 seconds (RFC 6238), as all apps for them make: SHA-1, six digits.
import { createHmac, timingSafeEqual } from 'node:crypto';

const INTERVAL_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 asks for 160 bits. */
export const TOTP_SECRET_BYTES = 20;
/** Clocks of phones differ. */
const INTERVALS_AROUND = [0, -1, 1];
/** Encoded, the issuer twice: with the secret and what is around it, 331 at most. */
const ISSUER_BYTES = 80;
const ACCOUNT_BYTES = 107;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const intervalAt = (now: Temporal.Instant): number =>
  Math.floor(now.epochMilliseconds / 1_000 / INTERVAL_SECONDS);

export function totpCode(secret: Uint8Array, interval: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(interval));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

type Tried = { readonly secret: Uint8Array; readonly now: Temporal.Instant; readonly last: number };

/** The interval whose code it is, later than the last accepted one; null: the code is wrong. */
export function acceptedInterval(code: string, { secret, now, last }: Tried): number | null {
  const sent = Buffer.from(code);
  const intervals = INTERVALS_AROUND.map((around) => intervalAt(now) + around);
  const right = intervals.filter((interval) => {
    const expected = Buffer.from(totpCode(secret, interval));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return right.find((interval) => interval > last) ?? null;
}

/** As apps read it, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('');
}

/** What an app reads from a QR code, which has room for 331 bytes: long names are cut. */
export function totpAddress(secret: Uint8Array, names: { issuer: string; account: string }) {
  const issuer = encodedWithin(ISSUER_BYTES, names.issuer);
  const account = encodedWithin(ACCOUNT_BYTES, names.account);
  return `otpauth://totp/${issuer}:${account}?secret=${base32(secret)}&issuer=${issuer}`;
}

/** Cut between characters, so that each is whole. */
function encodedWithin(most: number, text: string): string {
  let encoded = '';
  for (const character of text.toWellFormed()) {
    const more = encodeURIComponent(character);
    if (encoded.length + more.length > most) break;
    encoded += more;
  }
  return encoded;
}
