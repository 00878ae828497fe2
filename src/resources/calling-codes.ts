// The calling codes of the international numbering plan (ITU-T E.164), by which vendors bill.

const ofOneDigit = ['1', '7'];
const ofTwoDigits = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Such as +49; all others have three digits. */
export function callingCodeOf(number: string): string {
  const digits = number.slice(1, 4);
  if (ofOneDigit.includes(digits.slice(0, 1))) return `+${digits.slice(0, 1)}`;
  return `+${ofTwoDigits.has(digits.slice(0, 2)) ? digits.slice(0, 2) : digits}`;
}
