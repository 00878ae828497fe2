import { type Entry, entry, type Incident, type Intent, isMuted } from './incident.ts';

type Notice = Pick<Intent, 'kind' | 'cycle' | 'recipient' | 'channel'>;

/** Why a notice, decided earlier, must not go out as the incident is now; null when it may. */
export function whyUnwanted(notice: Notice, incident: Incident): string | null {
  switch (notice.kind) {
    case 'page':
    case 'nobody_paged':
      if (incident.status !== 'triggered') return `the incident is ${incident.status}`;
      if (isMuted(incident)) return 'the incident is muted';
      return notice.cycle === incident.escalation.cycle ? null : 'paging has started again since';
    case 'all_clear':
      return incident.status === 'resolved' ? null : 'the incident was reopened';
    case 'assigned':
    case 'responder_added':
      return incident.status === 'resolved' ? 'the incident is resolved' : null;
    case 'storm':
      return null;
  }
}

const names: Readonly<Record<Intent['kind'], string>> = {
  page: 'The page',
  nobody_paged: 'The page to an admin',
  all_clear: 'The all-clear',
  assigned: 'The notice of the reassignment',
  responder_added: 'The notice to the responder',
  storm: 'The notice of the storm',
};

type Ending = { readonly type: string; readonly says: string; readonly details?: unknown };

/** The timeline entry of what became of a notice. */
export function noticeEntry(notice: Notice, incident: Incident, ending: Ending): Entry {
  const to = notice.recipient === null ? '' : ` to ${notice.recipient}`;
  const says = `${names[notice.kind]}${to} by ${notice.channel} ${ending.says}`;
  return entry(incident, ending.type, says, { details: ending.details });
}
