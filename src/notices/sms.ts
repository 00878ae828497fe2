// A notice as one SMS of one segment. What came from outside is cut; how to answer stands last.

import { sendingLimits } from '../limits/sending.ts';
import { mayBySms, type SmsActions } from '../resources/connections/sms-actions.ts';
import { shownLabel } from '../resources/priorities.ts';
import { type IncidentNotice, offeredActions } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { cutIn, encodingOf, inGsm7, lengthIn } from './words/gsm7.ts';
import { phrasesOf } from './words/of-notice.ts';
import { lineOf, withoutLinks } from './words/wording.ts';

export type SmsOptions = {
  /** Whether an answer by SMS arrives; else the page of the incident is named. */
  readonly canReply: boolean;
  /** What such an answer may do. */
  readonly actions?: SmsActions;
  /** Without what came from outside, which carriers filter. */
  readonly isBare?: boolean;
};

/** Beyond what one segment holds. */
const LENGTH_READ = 1_000;
/** What vendors take. */
const WAIT_SECONDS_MIN = 60;
const WAIT_SECONDS_MAX = 36_000;
/** How much of the text has to be left for a part to stand after it. */
const TEXT_LENGTH_MIN = 25;

/** The parts of a message: the last is whole, the subject is cut. */
type Parts = {
  /** Names what it is about. */
  readonly head: readonly string[];
  readonly subject: string;
  /** By how long they are; the first that leaves room for the rest. */
  readonly tails: readonly string[];
};

export function smsOf(notice: Notice, options: SmsOptions): string {
  return written(partsOf(notice, options));
}

function partsOf(notice: Notice, options: SmsOptions): Parts {
  const { short } = phrasesOf(notice);
  if (notice.about === 'incident') return incidentParts(notice, options);
  const { lead, title, code, until } = wordsOf(notice);
  if (code !== undefined)
    return { head: [short.code(code)], subject: short.codeUnrequested, tails: [] };
  return {
    head: [`${lead}:`],
    subject: title,
    tails: until === undefined ? [] : [`, ${short.until(until)}`],
  };
}

function incidentParts(notice: IncidentNotice, options: SmsOptions): Parts {
  const { label, lead, title, url } = wordsOf(notice);
  const { priority, service } = notice.incident;
  // The others do not ask for an answer alone: what happened comes first.
  const what = notice.kind === 'page' ? [] : [`${lead}:`];
  return {
    head: [
      ...what,
      label,
      ...(priority ? [shownLabel(priority)] : []),
      `${service}${options.isBare ? '' : ':'}`,
    ],
    subject: options.isBare ? '' : title,
    tails: options.canReply ? menusOf(notice, options) : url ? [` ${url}`] : [],
  };
}

function menusOf(notice: IncidentNotice, { actions = 'all' }: SmsOptions): readonly string[] {
  const { handles, readOnlyRole, incident } = notice;
  if (handles === undefined || readOnlyRole !== undefined) return [];
  const { verb } = phrasesOf(notice).short;
  const { number, status } = incident;
  const entries = offeredActions[status]
    .filter((action) => mayBySms(actions, action))
    .map((action) => ({ key: replyKeys[action], text: verb[action] }));
  const menu = (shown: typeof entries, between: string) =>
    ` - ${shown.map(({ key, text }) => `${key} ${number}${between}${text}`).join(', ')}`;
  return entries.length === 0 ? [] : [menu(entries, ' '), menu(entries.slice(0, 1), '=')];
}

/** What people send to do it, as on the telephone. */
export const replyKeys = { acknowledge: 4, resolve: 6, escalate: 9 } as const;

function written({ head, subject, tails: whole }: Parts): string {
  const clean = (text: string) =>
    inGsm7(withoutLinks(lineOf(text.slice(0, LENGTH_READ))))
      .replace(/\s+/g, ' ')
      .trim();
  const cleanHead = head.map(clean).filter((part) => part !== '');
  const cleanSubject = clean(subject);
  const tails = whole.map(inGsm7);
  const encoding = encodingOf([...cleanHead, cleanSubject, ...tails].join(' '));
  const isShort = encoding.name === 'UCS-2';
  const fitting = tails.filter(
    (tail) => lengthIn(encoding, tail) <= encoding.single - TEXT_LENGTH_MIN,
  );
  const tail = (isShort ? fitting.at(-1) : fitting[0]) ?? '';
  const room = encoding.single - lengthIn(encoding, tail);
  // A part of the head takes a third at most, or no word of the subject would be left.
  const start = cleanHead.map((part) => cutPart(encoding, part, Math.floor(room / 3))).join(' ');
  return cutIn(encoding, `${start} ${cleanSubject}`.trimEnd(), room) + tail;
}

/** How long it may wait at the vendor: a page is of no use once its step is over. */
export function smsSecondsOf(notice: Notice): number {
  const minutes = 'stepMinutes' in notice ? notice.stepMinutes : undefined;
  if (minutes === undefined) return sendingLimits.smsTime;
  return Math.min(Math.max(minutes * 60, WAIT_SECONDS_MIN), WAIT_SECONDS_MAX);
}

/** A colon stays where it stands at the end. */
function cutPart(encoding: ReturnType<typeof encodingOf>, part: string, max: number): string {
  return part.endsWith(':')
    ? `${cutIn(encoding, part.slice(0, -1), max)}:`
    : cutIn(encoding, part, max);
}
