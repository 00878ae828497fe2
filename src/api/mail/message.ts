// The task of the worker threads for mail: strangers can make it take as long as they like.
import PostalMime, { type Email } from 'postal-mime';
import type { Mail } from '../../alerts/alert.ts';
import { storable } from '../../alerts/text.ts';
import { MIB } from '../../limits/limit.ts';
import { mailLimits } from '../../limits/mail.ts';
import { type DeliveryReport, deliveryReports } from '../../replies/delivery-reports.ts';
import type { WrittenMail } from '../../replies/mail-reply.ts';
import { writtenAbove } from '../../replies/mail-text.ts';
import { lowerPriority } from '../../workers/lower-priority.ts';
import { textOfHtml } from '../pages/html-text.ts';
import { CUT_HEADER } from './attachments.ts';
import { asUtf8, withFallback, withHeadersInUtf8 } from './charsets.ts';
import { headersOf } from './headers.ts';

lowerPriority();

/** Of the address of an integration, in a text that was encoded when it arrived. */
const TOKEN = /\b[0-9a-f]{40}(?=@)/gi;

/** A raw mail as subject, sender and text; null when it cannot be read as one. */
export async function readMessage(raw: Uint8Array): Promise<Mail | null> {
  const parsed = await parsedFrom(withHeadersInUtf8(firstLines(raw)));
  if (parsed === null) return null;
  const read = textOf(parsed) || missingText(parsed);
  const isCut = parsed.headers.some(({ key }) => key === CUT_HEADER);
  const text = isCut ? `${read.trimEnd()}\n\n${CUT_TEXT}` : read;
  return {
    subject: storable(parsed.subject ?? ''),
    from: storable(parsed.from?.address ?? ''),
    text: storable(text.replace(TOKEN, '***')),
    headers: headersOf(parsed.headers.map(({ key, value }) => [key, value])),
  };
}

export type SentReply = {
  readonly raw: Uint8Array;
  /** How our links begin. */
  readonly ours: string;
};

/** A reply to a page; null when it cannot be read. */
export async function readReply({ raw, ours }: SentReply): Promise<WrittenMail | null> {
  const parsed = await parsedFrom(withHeadersInUtf8(firstLines(raw)));
  if (parsed === null) return null;
  return {
    from: storable(parsed.from?.address ?? ''),
    written: writtenAbove(storable(textOf(parsed)), ours),
    headers: headersOf(parsed.headers.map(({ key, value }) => [key, value])),
  };
}

/** What a bounce reports of each recipient; null when it is none, or cannot be read. */
export async function readBounce(raw: Uint8Array): Promise<readonly DeliveryReport[] | null> {
  const parsed = await parse(firstLines(raw));
  const report = parsed?.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  if (report === undefined) return null;
  const { content } = report;
  return deliveryReports(typeof content === 'string' ? content : new TextDecoder().decode(content));
}

/**
 * What is valid UTF-8 is read as that where the mail names ASCII, or a charset that nobody knows; what
 * is not, and names no charset, as what most such mails are.
 */
async function parsedFrom(raw: Uint8Array): Promise<Email | null> {
  const renamed = asUtf8(raw);
  const read = renamed === null ? null : await parse(renamed);
  if (read !== null && isWhole(read)) return read;
  const parsed = await parse(raw);
  if (parsed === null || isWhole(parsed)) return parsed;
  const named = withFallback(raw);
  return (named === null ? null : await parse(named)) ?? parsed;
}

const isWhole = (mail: Email): boolean => !`${mail.subject} ${textOf(mail)}`.includes('\ufffd');

const parse = (raw: Uint8Array): Promise<Email | null> =>
  PostalMime.parse(raw, {
    maxNestingDepth: mailLimits.nesting,
    maxRfc822NestingDepth: mailLimits.forwarded,
    maxHeadersSize: mailLimits.headers,
  }).catch(() => null);

const textOf = ({ text, html }: Email): string => (text?.trim() ? text : textOfHtml(html ?? ''));

const CUT_TEXT = `The rest of this e-mail was not read because it is larger than ${mailLimits.stored / MIB} MiB without its attachments.`;

/** In the place of a text that nobody can read here, why. */
function missingText({ headers, attachments }: Email): string {
  const types = attachments.map(({ mimeType }) => mimeType.toLowerCase());
  const names = attachments.map(({ filename }) => filename ?? '').filter((name) => name !== '');
  const type = headers.find(({ key }) => key === 'content-type')?.value.toLowerCase() ?? '';
  const isEncrypted = [type, ...types].some((one) =>
    /^(?:multipart\/encrypted|application\/(?:x-)?pkcs7-mime|application\/pgp-encrypted)/.test(one),
  );
  if (isEncrypted) return 'The text of this e-mail is encrypted, so Pager cannot read it.';
  if (types.includes('application/ms-tnef') || names.some((name) => /^winmail\.dat$/i.test(name)))
    return 'The text of this e-mail is in the attachment winmail.dat, which Pager does not read.';
  if (attachments.length === 0) return '';
  const listed = names.slice(0, 10).join(', ');
  const which = listed === '' ? '' : `: ${listed}`;
  return `This e-mail has no text. Pager does not read its attachments${which}.`;
}

const NEWLINE = 0x0a;

/** Each line costs its reader some microseconds and a kilobyte, however short it is. */
function firstLines(raw: Uint8Array): Uint8Array {
  let end = -1;
  for (let line = 0; line < mailLimits.lines; line += 1) {
    end = raw.indexOf(NEWLINE, end + 1);
    if (end < 0) return raw;
  }
  return raw.subarray(0, end + 1);
}
