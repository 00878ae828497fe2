const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an app does with the secret that a person types. */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((one) => DIGITS.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
