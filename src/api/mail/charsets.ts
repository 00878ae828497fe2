// Mails are often written in another charset than they say, or in one that they do not name.

/** Where nothing that is known is declared. Every byte is some character in it. */
const FALLBACK = 'windows-1252';
const ASCII =
  /^(?:(?:us-?)?ascii|ansi_x3\.4-19\d\d|iso646-us|iso_646\.irv:1991|iso-ir-6|cp367|ibm367|csascii)$/i;
const CONTENT_TYPE = /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*/gim;
const CHARSET = /(\bcharset\s*=\s*["']?)([\w.:+-]{1,60})/gi;
const WORD = /(=\?)([\w.:+-]{1,60})(?=(?:\*[\w-]{1,20})?\?[bq]\?)/gi;
/** Where the first part of a mail says its charset, if the mail itself does not. */
const NEAR = 16_384;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The mail with its headers in UTF-8: written without encoding, they are in the charset of its text.
 * Two different subjects would otherwise both become replacement characters, which is one key.
 */
export function withHeadersInUtf8(raw: Uint8Array): Uint8Array {
  const end = endOfHeaders(raw);
  const headers = raw.subarray(0, end);
  if (isUtf8(headers)) return raw;
  const text = decoderOf(charsetIn(raw)).decode(headers);
  return joined(new TextEncoder().encode(text), raw.subarray(end));
}

/**
 * The mail as if it said UTF-8 wherever it says ASCII or a charset that nobody knows; null: it says so
 * nowhere. Where it is not valid UTF-8, it has replacement characters.
 */
export function asUtf8(raw: Uint8Array): Uint8Array | null {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const read = text
    .replace(CONTENT_TYPE, (header) => header.replace(CHARSET, renamed))
    .replace(WORD, renamed);
  return read === text ? null : Buffer.from(read, 'latin1');
}

/**
 * The mail with a charset where its texts name none and are not UTF-8; null: there is no such text.
 * Only for what was read with replacement characters.
 */
export function withFallback(raw: Uint8Array): Uint8Array | null {
  const end = endOfHeaders(raw);
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  if (!/^content-type:/im.test(text.slice(0, end)))
    return Buffer.from(`Content-Type: text/plain; charset=${FALLBACK}\r\n${text}`, 'latin1');
  const named = text.replace(CONTENT_TYPE, (header) =>
    /^content-type:\s*text\//i.test(header) && !/\bcharset\s*=/i.test(header)
      ? `${header}; charset=${FALLBACK}`
      : header,
  );
  return named === text ? null : Buffer.from(named, 'latin1');
}

const renamed = (whole: string, before: string, charset: string): string =>
  ASCII.test(charset) || !isKnown(charset) ? `${before}utf-8` : whole;

function charsetIn(raw: Uint8Array): string {
  const text = Buffer.from(raw.subarray(0, NEAR)).toString('latin1');
  for (const [header] of text.matchAll(CONTENT_TYPE))
    for (const [, , charset = ''] of header.matchAll(CHARSET))
      if (isKnown(charset) && !ASCII.test(charset) && !/^utf-?8$/i.test(charset)) return charset;
  return FALLBACK;
}

/** Behind its empty line, or of all of it where there is none. */
function endOfHeaders(raw: Uint8Array): number {
  const text = Buffer.from(raw.subarray(0, NEAR * 16)).toString('latin1');
  const [empty, at] = [/\r?\n\r?\n/.exec(text), text.length];
  return empty === null ? at : empty.index + empty[0].length;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}

const decoderOf = (charset: string): TextDecoder => new TextDecoder(charset);

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
