// Several pages to one contact in one message. It is composed when they are sent: the outbox has each.
import { shownLabel } from '../../resources/priorities.ts';
import type { AnyNotice, NoticeKind } from '../kind.ts';
import { phrasesOf, whyOf } from '../words/of-notice.ts';
import { type Fact, lineOf, phraseOf, safeLink, type Words } from '../words/wording.ts';
import { type IncidentNotice, sampleNotice, titleOf as titleOfIncident } from './incident.ts';

const INCIDENTS_LISTED = 10;

type Pages = readonly [IncidentNotice, ...IncidentNotice[]];
type Content = {
  readonly about: 'summary';
  readonly kind: 'page';
  readonly pages: Pages;
  /** Until the first of their steps ends. */
  readonly stepMinutes?: number;
};
type SummaryNotice = AnyNotice & Content;

/** It has the key of its first page. */
export function summaryOf(pages: Pages): SummaryNotice {
  const [{ key, organization, recipient, mention, timezone, language, why }] = pages;
  const minutes = pages.flatMap(({ stepMinutes = [] }) => stepMinutes);
  return {
    about: 'summary',
    kind: 'page',
    key,
    organization,
    ...(recipient !== undefined && { recipient }),
    ...(mention !== undefined && { mention }),
    ...(timezone !== undefined && { timezone }),
    ...(language !== undefined && { language }),
    why,
    pages,
    ...(minutes.length > 0 && { stepMinutes: Math.min(...minutes) }),
  };
}

export const summary: NoticeKind<Content> = {
  about: 'summary',
  isTranslated: true,
  words: summaryWords,
  threadOf: ({ pages: [{ incident }] }) => `incidents-${incident.id}`,
  sample: () =>
    summaryOf([
      sampleNotice(),
      sampleNotice({}, { id: '65f000000000000000000043', number: 43, title: 'No space left' }),
      sampleNotice({}, { id: '65f000000000000000000044', number: 44, title: '', service: 'Shop' }),
    ]),
};

function summaryWords(notice: SummaryNotice): Words {
  const { organization, pages } = notice;
  const { summary, button, more } = phrasesOf(notice);
  const isNew = pages.every(({ unansweredSteps = 0 }) => unansweredSteps === 0);
  const left = pages.length - INCIDENTS_LISTED;
  const [{ incident }] = pages;
  // The page of an incident is below the list of all.
  const list = safeLink(incident.url.replace(/\/[^/]*$/, ''), button.openIncidents);
  return {
    tone: 'alarm',
    lead: isNew ? summary.new(pages.length) : summary.unanswered(pages.length),
    label: '',
    title: pages.map(nameOf).join(', '),
    facts: pages.slice(0, INCIDENTS_LISTED).map(factOf),
    details: left > 0 ? more(left) : '',
    actions: list,
    links: [],
    why: [...new Set(pages.map(whyOf))].filter(Boolean).join('; '),
    organization: phraseOf(organization.name),
    url: list[0]?.href,
    at: incident.created_at,
  };
}

const titleOf = (page: IncidentNotice) =>
  phraseOf(titleOfIncident(page.incident, phrasesOf(page).incident));

const nameOf = (page: IncidentNotice) => `INC-${page.incident.number} ${titleOf(page)}`;

function factOf(page: IncidentNotice): Fact {
  const { number, priority, service } = page.incident;
  const where = [shownLabel(priority), service].map(lineOf).filter(Boolean).join(', ');
  const value = where === '' ? titleOf(page) : `${titleOf(page)} (${where})`;
  return { name: `INC-${number}`, value: phraseOf(value) };
}
