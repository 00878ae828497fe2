// A notice as the service worker shows it. Push services take 4 KiB with all that encryption adds.
import { sendingLimits } from '../limits/sending.ts';
import type { PushAction, PushContent } from '../resources/push.ts';
import { type Notice, threadOf, wordsOf } from './notice.ts';
import { phrasesOf } from './words/of-notice.ts';
import { takenLine } from './words/taken.ts';
import { fit, headingOf, type Words } from './words/wording.ts';

const TITLE_LENGTH_MAX = 120;
const BODY_LENGTH_MAX = 400;
/** The shortest that are tried, before buttons are left out. */
const TEXT_LENGTH_MIN = 30;

export type PushMessage = {
  readonly content: PushContent;
  readonly ttlSeconds: number;
  /** Whether it takes the place of one that a push service has not delivered yet. */
  readonly replaces: boolean;
};

export function pushMessageOf(notice: Notice): PushMessage {
  const words = wordsOf(notice);
  return { content: contentOf(notice, words), ttlSeconds: ttlOf(notice), replaces: true };
}

/** What takes its place on devices once its subject has changed: it wakes nobody. */
export function pushEditOf(notice: Notice): PushMessage {
  const words = wordsOf(notice);
  const taken = notice.about === 'incident' ? notice.taken : undefined;
  const lead = taken ? takenLine(notice, taken) : words.lead;
  const content = contentOf(notice, { ...words, lead }, true);
  // A page that rings is not replaced by news that does not while somebody is still to act.
  const replaces = notice.about !== 'incident' || notice.incident.status !== 'triggered';
  return { content, ttlSeconds: sendingLimits.pushTime, replaces };
}

function contentOf(notice: Notice, words: Words, isEdit = false): PushContent {
  const whole: PushContent = {
    title: fit(headingOf(words, words.title), TITLE_LENGTH_MAX),
    body: fit(bodyOf(notice, words), BODY_LENGTH_MAX),
    tag: threadOf(notice),
    path: pathTo(notice, words),
    silent: isEdit || notice.kind === 'all_clear' || notice.about === 'contact',
    actions: actionsOf(notice),
    // The service worker sends the code back.
    ...(notice.about === 'contact' && {
      proof: { contact_id: notice.proof.contact_id, code: notice.proof.code },
    }),
  };
  let content = whole;
  for (let max = BODY_LENGTH_MAX; sizeOf(content) > sendingLimits.pushContent; max /= 2) {
    const [title, body] = [fit(whole.title, Math.min(max, TITLE_LENGTH_MAX)), fit(whole.body, max)];
    const actions = max < TEXT_LENGTH_MIN ? [] : whole.actions;
    content = { ...whole, title, body, actions };
    if (max < 1) return { ...content, path: '/' };
  }
  return content;
}

const sizeOf = (content: PushContent) => new TextEncoder().encode(JSON.stringify(content)).length;

/** A code is for the service worker alone. */
function bodyOf(notice: Notice, { lead, facts }: Words): string {
  const { code, fact } = phrasesOf(notice);
  if (notice.about === 'contact') return code.device;
  const shown = [fact.service, fact.priority, fact.next];
  const values =
    notice.about === 'incident' ? facts.filter(({ name }) => shown.includes(name)) : [];
  return [lead, ...values.map(({ value }) => value)].join('\n');
}

function actionsOf(notice: Notice): readonly PushAction[] {
  if (notice.about !== 'incident') return [];
  const { links, incident, gotIt } = notice;
  const { button } = phrasesOf(notice);
  if (gotIt) return [{ action: 'got-it', title: button.gotIt, path: pathOf(gotIt.link) }];
  if (links === undefined) return [];
  if (incident.status === 'resolved') return [];
  const resolve = { action: 'resolve', title: button.resolve, path: pathOf(links.resolve) };
  if (incident.status === 'acknowledged') return [resolve];
  const path = pathOf(links.acknowledge);
  return [{ action: 'acknowledge', title: button.acknowledge, path }, resolve];
}

/** Where a tap leads: some show no buttons, so that of a test leads to the page that asks. */
function pathTo(notice: Notice, { url }: Words): string {
  if (notice.about === 'incident' && notice.gotIt) return pathOf(notice.gotIt.link);
  return url === undefined ? '/me' : pathOf(url);
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** A page is of no use once its step is over: others are paged then. */
function ttlOf(notice: Notice): number {
  const minutes = 'stepMinutes' in notice ? notice.stepMinutes : undefined;
  const seconds = minutes === undefined ? sendingLimits.pushTime : minutes * 60;
  return Math.max(60, Math.min(seconds, sendingLimits.pushTime));
}
