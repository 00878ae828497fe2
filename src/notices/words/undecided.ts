import type { UndecidedNotice, UndecidedThing } from '../notice.ts';
import { blockOf, factsOf, lineOf, phraseOf, type Words } from './wording.ts';

const LEADS = {
  event: 'An event could not be processed: it may need a page',
  incident: 'An incident could not be processed: its pages wait',
  schedule: 'A schedule could not be evaluated: its shifts are not announced',
  storage: 'Events of an integration are stored only in part',
} as const satisfies Record<UndecidedThing['of'], string>;

const AGAIN = 'It is tried again every 10 minutes. The log of the server has the details.';
const NEXT = {
  event:
    'This integration sent it, and its log of events shows it as unreadable or refused. It is not tried ' +
    'again: read there what it reports.',
  incident: `Its next alert opens another incident if it cannot be read. ${AGAIN}`,
  schedule: AGAIN,
  storage:
    'Its alerts are processed as usual. Until the day ends (UTC), only the beginning of each event ' +
    'and of the details of new incidents is stored. If this integration should not send that much, ' +
    'rotate its token. To store more, raise PAGER_EVENT_STORAGE_MIB_PER_DAY.',
} as const satisfies Record<UndecidedThing['of'], string>;

export function undecidedWords({ organization, undecided, why }: UndecidedNotice): Words {
  const { of, id, name, reason } = undecided;
  return {
    tone: of === 'storage' ? 'warning' : 'alarm',
    lead: LEADS[of],
    label: '',
    title: lineOf(name),
    facts: factsOf([{ name: 'Id', value: id }]),
    details: `${blockOf(reason)}\n\n${NEXT[of]}`,
    actions: [],
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
  };
}
