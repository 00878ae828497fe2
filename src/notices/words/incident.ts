import { otherStormsText } from '../../incidents/incident.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { IncidentNotice } from '../notice.ts';
import { blockOf, factsOf, type Link, lineOf, phraseOf, safeLink, type Words } from './wording.ts';

const LINKS_MAX = 5;

const TONES = {
  page: 'alarm',
  all_clear: 'good',
  assigned: 'news',
  responder_added: 'news',
  nobody_paged: 'warning',
  not_all_paged: 'warning',
  storm: 'warning',
} as const satisfies Record<IncidentNotice['kind'], Words['tone']>;

export function incidentWords(notice: IncidentNotice): Words {
  const { incident, otherStorms } = notice;
  const { service, status, priority, severity, created_at } = incident;
  return {
    tone: TONES[notice.kind],
    lead: leadOf(notice),
    label: `INC-${incident.number}`,
    title: lineOf(incident.title) || 'Untitled incident',
    facts: factsOf([
      { name: 'Also', value: otherStorms ? otherStormsText(otherStorms) : '' },
      { name: 'Service', value: service },
      { name: 'Status', value: status },
      { name: 'Priority', value: priority ?? '' },
      { name: 'Severity', value: severity ?? '' },
      { name: 'Opened', value: timeOf(created_at, notice.timezone), at: created_at },
      { name: 'Next', value: incident.next ?? '' },
      { name: 'Your role', value: readOnlyText(notice) },
    ]),
    details: blockOf(incident.details),
    ...(incident.rows && { rows: incident.rows }),
    actions: actionsOf(notice),
    links: incident.links.flatMap(({ href, text }) => safeLink(href, text)).slice(0, LINKS_MAX),
    why: [notice.why, notice.route ?? ''].filter(Boolean).map(phraseOf).join(', '),
    organization: phraseOf(notice.organization.name),
    url: safeLink(incident.url)[0]?.href,
    at: created_at,
  };
}

function leadOf({
  kind,
  incident: { resolved_by },
  recipient = '',
  unansweredSteps: unanswered = 0,
}: IncidentNotice): string {
  switch (kind) {
    case 'page':
      if (unanswered === 0) return 'Incident triggered';
      return unanswered === 1
        ? 'Nobody answered step 1'
        : `Nobody answered steps 1 to ${unanswered}`;
    case 'all_clear':
      return resolved_by ? `Resolved by ${phraseOf(resolved_by)}` : 'Resolved';
    case 'assigned':
      return `Assigned to ${phraseOf(recipient) || 'you'}`;
    case 'responder_added':
      return `Responder added: ${phraseOf(recipient) || 'you'}`;
    case 'nobody_paged':
      return 'Nobody could be paged';
    case 'not_all_paged':
      return 'Not everyone could be paged';
    case 'storm':
      return 'Alert storm';
  }
}

/** Stands for the links that are left out. */
const readOnlyText = ({ incident, readOnlyRole }: IncidentNotice): string =>
  readOnlyRole === undefined || incident.status === 'resolved'
    ? ''
    : `${readOnlyRole}, which cannot acknowledge or resolve incidents`;

/** On the clock of a zone, which is named. */
export function timeOf(instant: Temporal.Instant, timezone = 'UTC'): string {
  const local = clockIn(timezone, instant).toPlainDateTime();
  const zone = timezone === 'Etc/UTC' ? 'UTC' : timezone;
  return `${local.toString({ smallestUnit: 'second' }).replace('T', ' ')} ${lineOf(zone)}`;
}

export const gotItLabel = 'I got it';

/** A resolved incident is only to be looked at. */
function actionsOf(notice: IncidentNotice): readonly Link[] {
  return [...answersTo(notice), { href: notice.incident.url, text: 'Open incident' }].flatMap(
    ({ href, text }) => safeLink(href, text),
  );
}

function answersTo({ incident, links, gotIt }: IncidentNotice): readonly Link[] {
  if (gotIt) return [{ href: gotIt.link, text: gotItLabel }];
  if (!links || incident.status === 'resolved') return [];
  const resolve = { href: links.resolve, text: 'Resolve' };
  if (incident.status === 'acknowledged') return [resolve];
  return [{ href: links.acknowledge, text: 'Acknowledge' }, resolve];
}
