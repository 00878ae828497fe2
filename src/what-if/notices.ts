// The notices of a simulation, and the recipients that could not be reached.
import { configurationIn } from '../incidents/configuration.ts';
import { type Intent, isPage, reachesSomebody } from '../incidents/incident.ts';
import type { Recipient } from '../incidents/recipient.ts';
import { addressesOf, routeOf } from '../incidents/target-recipients.ts';
import {
  isNotification,
  isStep,
  notificationDetails,
  stepDetails,
} from '../incidents/why/story.ts';
import { maskedAddress } from '../resources/masked-address.ts';
import type { EntryRow, MemoryLedger, MemoryLedgerOptions } from './memory/ledger.ts';
import type { IncidentIntent } from './memory/outbox.ts';
import type { Past } from './rehearsal.ts';

export type StoryNotice = {
  readonly at: Temporal.Instant;
  readonly incidentId: string;
  readonly kind: Intent['kind'];
  /** Of the policy, from 1; null for what no step sends. */
  readonly step: number | null;
  readonly channel: string;
  /** A person, a chat or a webhook. */
  readonly name: string;
  /** How the person comes to be meant; absent: they are named. */
  readonly route?: string;
  readonly userId: string | null;
  /** Why it is not sent; null if it is. */
  readonly reason: string | null;
  /** Of a page, the contacts of its person that are tried one after the other, if they are several. */
  readonly contacts?: readonly string[];
};

/** Oldest first, without those that `past` has already and those only written to a folder. */
export function noticesIn(
  { outbox, options }: MemoryLedger,
  { entries, past }: { readonly entries: readonly EntryRow[]; readonly past: Past },
): readonly StoryNotice[] {
  const before = new Set(past.notices.map(({ intent }) => intent.key));
  const notices = [...outbox.values()].flatMap(({ intent, createdAt, reason }): StoryNotice[] =>
    !('incident_id' in intent) || before.has(intent.key) || !reachesSomebody(intent)
      ? []
      : [
          {
            ...noticeOf(intent, { at: createdAt, reason }),
            ...contactsOf(intent, options),
          },
        ],
  );
  return [...notices, ...entries.flatMap(skippedIn)].sort((a, b) =>
    Temporal.Instant.compare(a.at, b.at),
  );
}

function contactsOf(
  { organization_id, kind, user_id, channel }: IncidentIntent,
  { configurations }: MemoryLedgerOptions,
): Pick<StoryNotice, 'contacts'> {
  if (user_id === null || !isPage({ kind })) return {};
  const configuration = configurationIn(configurations, organization_id);
  const contacts = addressesOf(user_id, channel, configuration).map(maskedAddress);
  return contacts.length > 1 ? { contacts } : {};
}

type Deciding = Pick<StoryNotice, 'at' | 'reason'>;

type Planned = Pick<Intent, 'incident_id' | 'kind' | 'step' | 'channel' | 'user_id'> & Recipient;

export const noticeOf = (intent: Planned, { at, reason }: Deciding): StoryNotice => ({
  at,
  incidentId: intent.incident_id,
  kind: intent.kind,
  channel: intent.channel,
  step: intent.step < 0 ? null : intent.step + 1,
  name: intent.recipient ?? '',
  userId: intent.user_id,
  reason,
  ...(intent.route && { route: intent.route }),
});

/** The recipients that an entry names as not reached. */
export function skippedIn(entry: TimedEntry): StoryNotice[] {
  if (isStep(entry)) {
    const { step, skipped } = stepDetails(entry);
    return skipped.map((recipient) =>
      undeliverable(entry, { ...recipient, kind: 'page', step: step + 1 }),
    );
  }
  if (!isNotification(entry)) return [];
  // The entry has the name of the notice.
  const kind = entry.type as StoryNotice['kind'];
  return notificationDetails(entry).skipped.map((recipient) =>
    undeliverable(entry, { ...recipient, kind, step: null }),
  );
}

type TimedEntry = Pick<EntryRow, 'at' | 'incident_id' | 'type' | 'details'>;

type SkippedRecipient = ReturnType<typeof notificationDetails>['skipped'][number] &
  Pick<StoryNotice, 'kind' | 'step'>;

const undeliverable = (
  { at, incident_id: incidentId }: TimedEntry,
  recipient: SkippedRecipient,
): StoryNotice => {
  const route = routeOf({ personId: recipient.user_id, duty: recipient.on_call ?? null });
  return {
    at,
    incidentId,
    kind: recipient.kind,
    step: recipient.step,
    channel: recipient.channel,
    name: recipient.name,
    userId: recipient.user_id,
    reason: recipient.reason ?? '',
    ...(route !== undefined && { route }),
  };
};
