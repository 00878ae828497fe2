// Reads times with an offset without Temporal, which the Terraform provider's Node 20 does not have.

/** A zone or a calendar in brackets changes nothing about an instant. */
const parts = /^([+-]?\d[\d-]*)[Tt ]([\d:.,]+)([Zz]|[+-][\d:.,]+)(?:\[[^[\]]+\])*$/;
const date = /^(\d{4}|[+-]\d{6})(-?)(\d\d)\2(\d\d)$/;
/** Of a time and of an offset; separators are written everywhere or nowhere. */
const clock = /^(\d\d)(?:(:?)(\d\d)(?:\2(\d\d)(?:[.,](\d{1,9}))?)?)?$/;

const dayMs = 86_400_000;

/**
 * In whole milliseconds since 1970, as times are stored; null if the text is not a time with an
 * offset, or if its year in UTC does not have four digits, because the database stores no others.
 */
export function millisecondsOf(text: string): number | null {
  const [, day = '', time = '', offset = ''] = parts.exec(text) ?? [];
  const [midnight, sinceMidnight, ahead] = [midnightOf(day), nanoseconds(time), aheadOf(offset)];
  if (midnight === null || sinceMidnight === null || ahead === null) return null;
  const at = midnight + Number((sinceMidnight - ahead) / million) + borrowed(sinceMidnight - ahead);
  return at >= first && at < end ? at : null;
}

const million = 1_000_000n;

/** Integers are divided toward zero, times are cut toward the past. */
const borrowed = (ns: bigint): number => (ns < 0n && ns % million !== 0n ? -1 : 0);

function midnightOf(text: string): number | null {
  const [, written = '', , ...rest] = date.exec(text) ?? [];
  if (written === '' || written === '-000000') return null;
  const [year = 0, month = 0, day = 0] = [written, ...rest].map(Number);
  if (month < 1 || month > 12 || day < 1) return null;
  const at = firstOf(year, month) + day - 1;
  return at < firstOf(year, month + 1) ? at * dayMs : null;
}

/** The first of a month, in days since 1970. Years are counted from March, so that leap days end them. */
function firstOf(year: number, month: number): number {
  const [inYear, fromMarch] = month < 3 ? [year - 1, month + 9] : [year, month - 3];
  const leapDays = Math.floor(inYear / 4) - Math.floor(inYear / 100) + Math.floor(inYear / 400);
  return inYear * 365 + leapDays + Math.floor((153 * fromMarch + 2) / 5) - 719_468;
}

const first = firstOf(0, 1) * dayMs;
const end = firstOf(10_000, 1) * dayMs;

function nanoseconds(text: string, secondMax = 60): bigint | null {
  const [, hour, , minute = '0', second = '0', fraction = ''] = clock.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59) return null;
  if (Number(second) > secondMax) return null;
  // A leap second is read as the second before it.
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Math.min(Number(second), 59);
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function aheadOf(text: string): bigint | null {
  if (/^[Zz]$/.test(text)) return 0n;
  const ns = nanoseconds(text.slice(1), 59);
  return ns !== null && text.startsWith('-') ? -ns : ns;
}
