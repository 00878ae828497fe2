// Codes that change every 30 seconds (RFC 6238), as all apps for them make: SHA-1, six digits.
import { createHmac, timingSafeEqual } from 'node:crypto';

const INTERVAL_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 asks for 160 bits. */
export const TOTP_SECRET_BYTES = 20;
/** Clocks of phones differ. */
const INTERVALS_AROUND = [0, -1, 1];
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

/** What an app reads from a QR code. */
export function totpAddress(
  secret: Uint8Array,
  { issuer, account }: { issuer: string; account: string },
) {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
