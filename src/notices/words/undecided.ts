import type { UndecidedNotice, UndecidedThing } from '../notice.ts';
import { blockOf, factsOf, lineOf, phraseOf, type Words } from './wording.ts';

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

export function undecidedWords({ organization, undecided, why }: UndecidedNotice): Words {
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
