const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes as text: by their byte order mark, else as UTF-8 where they are valid UTF-8, for many
 * programs declare another charset than they write; else by the charset that is declared.
 */
export function decoded(bytes: Uint8Array, contentType: string): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return decoderOf(charsetOf(bytes, contentType)).decode(bytes);
  }
}

/** By its mark, or without one by the zeros beside its first two characters. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [a, b, c, d] = [bytes[0], bytes[1], bytes[2], bytes[3]];
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a && b === 0 && c && d === 0) return 'utf-16le';
  if (a === 0 && b && c === 0 && d) return 'utf-16be';
  return undefined;
}

const PROLOG_BYTES = 200;

/** An XML prolog is nearer to the text than the header of the request. */
function charsetOf(bytes: Uint8Array, contentType: string): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, PROLOG_BYTES));
  const declared =
    /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)/.exec(start) ??
    /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(contentType);
  return declared?.[1];
}

function decoderOf(charset: string | undefined): TextDecoder {
  if (charset === undefined) return utf8;
  try {
    return new TextDecoder(charset);
  } catch {
    // A charset that nobody knows.
    return utf8;
  }
}
