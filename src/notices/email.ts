import { isPage } from '../incidents/incident.ts';
import { mailHtml } from './mail-html.ts';
import { type Notice, threadOf, wordsOf } from './notice.ts';
import { fit, headingOf, type Link, lineOf, type Words } from './words/wording.ts';

const TITLE_LENGTH_MAX = 200;
const DETAILS_LENGTH_MAX = 10_000;
const KEY_LENGTH_MAX = 200;

export type EmailMessage = {
  readonly from: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
};

type EmailOptions = {
  readonly from: string;
  /** Ours; it ends every Message-ID. */
  readonly domain: string;
  /** Where replies are received, of what people can reply to. */
  readonly replyTo?: string | undefined;
};

/** A page to somebody who may act on it. */
export const isRepliedTo = (notice: Notice): boolean =>
  notice.about === 'incident' && isPage(notice) && notice.readOnlyRole === undefined;

/** The mail of a notice. */
export function emailOf(notice: Notice, { from, domain, replyTo }: EmailOptions): EmailMessage {
  const words = wordsOf(notice);
  const hint = replyTo === undefined ? '' : replyHint;
  const subject = asciiOf(threadOf(notice));
  const thread = `<${subject}@${domain}>`;
  return {
    from: lineOf(from),
    ...(replyTo !== undefined && { replyTo }),
    subject: subjectOf(notice, words),
    text: textOf(words, hint),
    html: mailHtml(words, {
      title: fit(words.title, TITLE_LENGTH_MAX),
      details: fit(words.details, DETAILS_LENGTH_MAX),
      signature: [hint, signatureOf(words)].filter(Boolean).join(' '),
    }),
    messageId: `<${subject}.${fingerprintOf(notice.key)}@${domain}>`,
    headers: {
      // No mail has the thread's own id: it is the parent that all of them name, so that mail
      // programs gather them whichever arrives first.
      ...inThread(notice, thread),
      'X-Auto-Response-Suppress': 'All',
      ...('unsubscribe' in notice && notice.unsubscribe && unsubscribing(notice.unsubscribe)),
      ...(notice.about === 'incident' && { 'X-Pager-Incident': asciiOf(notice.incident.id) }),
      'X-Pager-Notice': asciiOf(notice.key),
    },
  };
}

const replyHint =
  'To act on the incident, reply with one word in the first line: acknowledge, resolve or escalate. Any other reply is added to the incident as a note.';

/** A mail that answers another one follows it, and says so to programs that answer mails. RFC 3834. */
function inThread(notice: Notice, thread: string): Readonly<Record<string, string>> {
  if (notice.about !== 'answer')
    return { 'In-Reply-To': thread, References: thread, 'Auto-Submitted': 'auto-generated' };
  const { inReplyTo } = notice.answer;
  const [replied] = /^<[\x21-\x7e]{1,250}>$/.exec(inReplyTo?.trim() ?? '') ?? [];
  return {
    'In-Reply-To': replied ?? thread,
    References: replied ? `${thread} ${replied}` : thread,
    'Auto-Submitted': 'auto-replied',
  };
}

/** Mail programs send the request themselves if it is protected by TLS. RFC 2369, RFC 8058. */
const unsubscribing = (link: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

function subjectOf(notice: Notice, { lead, label, title }: Words): string {
  if (notice.about !== 'incident') return fit(`${lead}: ${title}`, TITLE_LENGTH_MAX);
  const subject = `[${label}] ${fit(title, TITLE_LENGTH_MAX)}`;
  return notice.kind === 'all_clear' ? `Resolved: ${subject}` : subject;
}

/** What is wrong, and what else its tool has sent. */
function detailsOf({ details, rows, isDescribed = false }: Words) {
  if (rows === undefined) return { description: fit(details, DETAILS_LENGTH_MAX), others: '' };
  const described = isDescribed ? rows[0] : undefined;
  const lines = rows
    .slice(isDescribed ? 1 : 0)
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
  return {
    description: fit(described?.value ?? '', DETAILS_LENGTH_MAX),
    others: fit(lines, DETAILS_LENGTH_MAX),
  };
}

function asciiOf(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, KEY_LENGTH_MAX);
}

/** FNV-1a of 64 bits: distinguishes the notices of one incident, and is no secret. */
function fingerprintOf(key: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(key)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

function textOf(words: Words, hint: string): string {
  const { description, others } = detailsOf(words);
  const parts = [
    `${words.lead}\n${headingOf(words, fit(words.title, TITLE_LENGTH_MAX))}`,
    words.facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    words.actions.map(linkLine).join('\n'),
    description,
    words.links.map(linkLine).join('\n'),
    others,
    hint,
    // "-- " on its own line is where mail programs know that a signature begins.
    `-- \n${signatureOf(words)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function linkLine({ href, text }: Link): string {
  return `${text}: ${href}`;
}

function signatureOf({ why, organization }: Words): string {
  const reason = why ? ` You get this because: ${why}.` : '';
  return `Sent by Pager for ${organization}.${reason}`;
}
