// What a person has written in a reply by e-mail, and which mails no person has written.
import { mailLimits } from '../limits/mail.ts';
import { withoutSignature } from './verbs.ts';

type Received = {
  /** Of the envelope; empty: it is a report, to which nobody replies. */
  readonly sender: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Sent by a program, such as an absence notice, a mailing list, a bounce, or another Pager. */
export function isAutomatic({ sender, headers }: Received): boolean {
  if (sender === '') return true;
  return Object.entries(automatic).some(([name, value]) => {
    const header = headers[name];
    return header !== undefined && value.test(header.trim());
  });
}

/** RFC 3834, and what was in use before it. */
const automatic: Readonly<Record<string, RegExp>> = {
  'auto-submitted': /^(?!no\b)/i,
  precedence: /^(?:bulk|list|junk|auto[_-]?reply)\b/i,
  'content-type': /^multipart\/report\b/i,
  'list-id': /^/,
  'list-unsubscribe': /^/,
  'x-autoreply': /^/,
  'x-autorespond': /^/,
  'x-pager-notice': /^/,
};

/** Above the quote and the signature, at most as much as a note contains. `ours`: how our links begin. */
export function writtenAbove(text: string, ours: string): string {
  const lines = text.slice(0, mailLimits.replyText).normalize('NFC').split(/\r?\n/);
  const quoted = lines.findIndex((_, at) => isQuote(lines.slice(at, at + QUOTE_LINES), ours));
  const above = quoted < 0 ? lines : lines.slice(0, quoted);
  return fitBytes(withoutSignature(above.join('\n')).trim(), mailLimits.note);
}

/** The line that introduces a quote may be wrapped, and the headers of a quoted mail take a few. */
const QUOTE_LINES = 5;

function isQuote(lines: readonly string[], ours: string): boolean {
  const [first = '', ...others] = lines;
  if (/^\s*>/.test(first) || first.includes(ours) || separator.test(first)) return true;
  if (heading.test(first) && others.some((line) => nextHeading.test(line))) return true;
  const next = others.find((line) => line.trim() !== '') ?? '';
  if (/:\s*$/.test(first) && /^\s*>/.test(next)) return true;
  return [1, 2, 3].some((count) => introduction.test(lines.slice(0, count).join(' ')));
}

const separator =
  /^\s*(?:_{10,}\s*$|-{2,}\s*(?:original message|ursprüngliche nachricht|message d['’]origine|mensaje original)\b)/i;
const heading = /^\s*\*?(?:from|von|de|da)\s?:/i;
const nextHeading =
  /^\s*\*?(?:sent|date|to|gesendet|datum|an|envoyé|à|enviado(?: el)?|fecha|para)\s?:/i;
const introduction =
  /^\s*(?:on|am|le|el)\b.{4,300}\b(?:wrote|schrieb.{0,200}|a écrit|escribió)\s?:\s*$/i;

/** The start of a text, without half a character at its end. */
function fitBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true }).trimEnd();
}
