import { byChannel } from '../resources/channels.ts';
import {
  type Entry,
  entry,
  type Incident,
  type Intent,
  isPage,
  type NoticeKind,
  noCycle,
} from './incident.ts';
import { type Recipient, shownRecipient } from './recipient.ts';

type Notice = Pick<Intent, 'kind' | 'cycle' | 'step' | 'wave' | 'recipient' | 'channel'>;

/** What of an incident decides whether a notice goes out. */
type Decisive = Pick<Incident, 'status'> & {
  readonly escalation: Pick<Incident['escalation'], 'cycle' | 'wentBackTo'>;
};

type Page = Pick<Intent, 'step' | 'wave'> & { readonly kind: string };

/**
 * The step of which a page was sent after all, so that this one, of a later step or to an admin, is not
 * sent any more; null: it is.
 */
export function withdrawnFor(
  { kind, step, wave = 0 }: Page,
  { wentBackTo = [] }: Decisive['escalation'],
): number | null {
  const isAfter = (other: number) => kind === 'nobody_paged' || step > other;
  return wentBackTo.slice(wave).find(isAfter) ?? null;
}

/** Why a notice, decided earlier, must not go out as the incident is now; null when it may. */
export function cancellationReason(notice: Notice, incident: Decisive): string | null {
  switch (notice.kind) {
    case 'page':
    case 'nobody_paged':
    case 'not_all_paged':
      if (incident.status !== 'triggered') return `the incident is ${incident.status}`;
      return reasonOfRound(notice, incident);
    case 'all_clear':
      return incident.status === 'resolved' ? null : 'the incident was reopened';
    case 'assigned':
    case 'responder_added':
      return incident.status === 'resolved' ? 'the incident is resolved' : null;
    case 'storm':
    case 'webhook':
      return null;
  }
}

function reasonOfRound(notice: Notice, { escalation }: Decisive): string | null {
  if (notice.cycle === noCycle) return null;
  if (notice.cycle !== escalation.cycle) return 'paging has started again since then';
  const step = withdrawnFor(notice, escalation);
  return step === null ? null : `a page of step ${step + 1} was sent in the meantime`;
}

/** Pages that waited for this are due at once. */
export const endsMute = ({ type }: Pick<Entry, 'type'>): boolean => type === 'unmuted';

/** The same, and before the step that runs now, earlier ones are tried once more. */
export const wakesPages = (entry: Pick<Entry, 'type'>): boolean =>
  endsMute(entry) || entry.type === 'step_failed' || entry.type === 'nobody_paged';

/** Whatever ends a mute wakes its pages; if that was missed, they are looked at again this often. */
const holdSeconds = 30;

/** Until when a page that is wanted waits, for its incident is muted; null: it does not wait. */
export function heldUntil(
  notice: Notice,
  { muted_until: until }: Pick<Incident, 'muted_until'>,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (until === null || !isPage(notice)) return null;
  const soon = now.add({ seconds: holdSeconds });
  return Temporal.Instant.compare(until, soon) < 0 ? until : soon;
}

/** Whether it is neither cancelled nor held. */
export const isWanted = (
  notice: Notice,
  incident: Decisive & Pick<Incident, 'muted_until'>,
): boolean =>
  cancellationReason(notice, incident) === null &&
  !(incident.muted_until !== null && isPage(notice));

/** Why an all-clear is not sent whose page had waited for its turn until then. */
export const neverPaged = 'the page before it was never sent';

/** Each kind as the subject of a sentence. */
export const noticeNames: Readonly<Record<NoticeKind, string>> = {
  page: 'The page',
  nobody_paged: 'The page to an admin',
  not_all_paged: 'The page to an admin',
  all_clear: 'The all-clear',
  assigned: 'The reassignment notice',
  responder_added: 'The responder notice',
  storm: 'The storm notice',
};

type NamedNotice = Recipient & Pick<Intent, 'channel'> & { readonly kind: NoticeKind };
export type Ending = { readonly type: string; readonly text: string; readonly details?: unknown };

/** The timeline entry of what became of a notice. */
export function noticeEntry(
  notice: NamedNotice,
  incident: Pick<Incident, 'id'>,
  ending: Ending,
): Entry {
  const to = notice.recipient === null ? '' : ` to ${shownRecipient(notice)}`;
  const text = `${noticeNames[notice.kind]}${to} ${byChannel(notice.channel)} ${ending.text}`;
  return entry(incident, ending.type, text, { details: ending.details });
}

/** The same of a call of an outbound webhook, whose name is the recipient's. */
export function callEntry(
  { recipient }: Pick<Intent, 'recipient'>,
  incident: Incident,
  ending: Ending,
): Entry {
  const text = `The webhook ${recipient} ${ending.text}`;
  return entry(incident, ending.type, text, { details: ending.details });
}
