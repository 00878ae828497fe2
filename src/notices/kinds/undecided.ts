// Something that was due could not be processed. It fails alone, and the admins of its team are notified.
import { choiceOf, objectOf, text } from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { blockOf, factsOf, lineOf, phraseOf, type Words } from '../words/wording.ts';

const things = ['event', 'incident', 'schedule', 'storage'] as const;

export type UndecidedThing = {
  /** `storage`: an integration whose events are stored only in part. */
  readonly of: (typeof things)[number];
  readonly id: string;
  readonly name: string;
  readonly reason: string;
};
type Content = {
  readonly about: 'undecided';
  readonly kind: 'undecided';
  readonly undecided: UndecidedThing;
};
type UndecidedNotice = AnyNotice & Content;

export const undecided: QueuedKind<Content, { readonly undecided: UndecidedThing }, Content> = {
  about: 'undecided',
  stored: {
    undecided: objectOf<UndecidedThing>({
      of: choiceOf(things),
      id: text,
      name: text,
      reason: text,
    }),
  },
  read: ({ notice }) =>
    notice.undecided
      ? { about: 'undecided', kind: 'undecided', undecided: notice.undecided }
      : null,
  compose: ({ about, kind, undecided }) => ({ about, kind, undecided }),
  words: undecidedWords,
  threadOf: ({ undecided: { of, id } }) => `${of}-${id}`,
  sample: sampleUndecidedNotice,
};

const LEADS = {
  event: 'An event could not be processed and may need a page',
  incident: 'An incident could not be processed, so its pages are waiting',
  schedule: 'A schedule could not be evaluated, so its shifts are not announced',
  storage: 'Events of an integration are only partly stored',
} as const satisfies Record<UndecidedThing['of'], string>;

const AGAIN = 'Pager retries every 10 minutes. See the server log for details.';
const NEXT = {
  event:
    'This integration sent the event, and its event log shows it as unreadable or rejected. Pager does ' +
    'not retry it. Check in the event log what it reports.',
  incident: `If it cannot be read, its next alert opens another incident. ${AGAIN}`,
  schedule: AGAIN,
  storage:
    'Its alerts are processed as usual. Until the day ends (UTC), only the beginning of each event ' +
    'and of new incident details is stored. If this integration should not send this much, ' +
    'rotate its token. To store more, raise PAGER_EVENT_STORAGE_MIB_PER_DAY.',
} as const satisfies Record<UndecidedThing['of'], string>;

function undecidedWords({ organization, undecided, why }: UndecidedNotice): Words {
  const { of, id, name, reason } = undecided;
  return {
    tone: of === 'storage' ? 'warning' : 'alarm',
    lead: LEADS[of],
    label: '',
    title: lineOf(name),
    facts: factsOf([{ name: 'ID', value: id }]),
    details: `${blockOf(reason)}\n\n${NEXT[of]}`,
    actions: [],
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
  };
}

function sampleUndecidedNotice(): UndecidedNotice {
  return {
    about: 'undecided',
    kind: 'undecided',
    key: 'undecided/schedule/65f0000000000000000000c1/1795240800000/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of its team',
    undecided: {
      of: 'schedule',
      id: '65f0000000000000000000c1',
      name: 'Payments <primary>',
      reason: 'no time zone is named Europe/Bonn',
    },
  };
}
