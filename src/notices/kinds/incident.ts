// What somebody should know of an incident, or do about it: pages, all-clears, reassignments, storms.

import {
  type Incident,
  type NoticeKind as IncidentNoticeKind,
  isNoticeKind,
  type OtherStorms,
} from '../../incidents/incident.ts';
import { countAlerts } from '../../incidents/incident-alerts.ts';
import { nextTimer } from '../../incidents/next.ts';
import { cancellationReason, heldUntil, noticeEntry } from '../../incidents/notice-cancellation.ts';
import { count, listOf, objectOf } from '../../resources/declaration/stored-document.ts';
import { shownLabel } from '../../resources/priorities.ts';
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import {
  type AnyNotice,
  type ComposeOptions,
  type DueNotice,
  limitReason,
  type QueuedKind,
  type SendConditions,
  type Unwanted,
} from '../kind.ts';
import { shownDetails } from '../words/details.ts';
import { nextText } from '../words/next.ts';
import { isEnglish, phrasesOf, whyOf } from '../words/of-notice.ts';
import type { Phrases } from '../words/phrases.ts';
import { timeOf } from '../words/times.ts';
import {
  blockOf,
  factsOf,
  type Link,
  lineOf,
  phraseOf,
  safeLink,
  type Words,
} from '../words/wording.ts';

/** What somebody did to an incident. */
export type ActionTaken = {
  /** As `Acknowledged`. */
  readonly action: string;
  readonly by: string;
  /** Nobody did it. */
  readonly isAutomatic?: boolean;
  /** From where, as people call it, such as `phone`. */
  readonly via?: string;
  readonly at: Temporal.Instant;
};

/** Alerts that joined an incident since its message named some. */
export type AlertsJoined = {
  readonly count: number;
  /** Of the first of them. */
  readonly titles: readonly string[];
  /** How many alerts the incident has now. */
  readonly total: number;
};

type Content = {
  readonly about: 'incident';
  readonly kind: IncidentNoticeKind;
  readonly incident: {
    readonly id: string;
    readonly number: number;
    readonly title: string;
    /** How many of its alerts fire beside the one in the title; absent: none. */
    readonly otherAlerts?: number;
    readonly status: 'triggered' | 'acknowledged' | 'resolved';
    readonly priority?: string;
    readonly severity?: string;
    readonly service: string;
    readonly details: string;
    /** The same as names and values; absent where it has none, or too many. */
    readonly rows?: readonly { readonly name: string; readonly value: string }[];
    /** Whether the first of them says what is wrong. */
    readonly isDescribed?: boolean;
    readonly links: readonly { readonly href: string; readonly text?: string }[];
    readonly url: string;
    readonly created_at: Temporal.Instant;
    readonly resolved_by?: string;
    /** What happens if nobody acts. */
    readonly next?: string;
  };
  /** How many steps of the policy came before the one that pages, and nobody has acknowledged. */
  readonly unansweredSteps?: number;
  /** How many came before the one to which somebody escalated: those were cut short, not unanswered. */
  readonly cutSteps?: number;
  /** Of a page: after how many minutes the next step is paged, if there is one. */
  readonly stepMinutes?: number;
  /** Pages that ask for confirmation: opening one changes nothing. */
  readonly links?: { readonly acknowledge: string; readonly resolve: string };
  /** What the buttons of a message carry, where it can have buttons. */
  readonly handles?: {
    readonly acknowledge: string;
    readonly resolve: string;
    readonly escalate: string;
    readonly unacknowledge?: string;
    /** What lists the webhooks and the playbooks that can be run. */
    readonly webhook?: string;
    readonly playbook?: string;
  };
  /** Of a test page, what confirms that it has arrived. */
  readonly gotIt?: { readonly link: string; readonly handle: string };
  /** What was done since the message that shows it was last brought up to date. */
  readonly taken?: ActionTaken;
  /** What a line below the message names. */
  readonly joined?: AlertsJoined;
  /** Of a storm: what else it is about. */
  readonly otherStorms?: OtherStorms;
  /** Of a recipient who may not act on incidents, and so gets no such links. */
  readonly readOnlyRole?: Role;
};
export type IncidentNotice = AnyNotice & Content;

type Stored = {
  /** Of a page, how often its cycle had gone back before. */
  readonly wave: number;
  readonly other_storms: OtherStorms;
};

/** An incident as it is now, and what is sent about it. */
export type DueIncident = {
  readonly about: 'incident';
  readonly kind: IncidentNoticeKind;
  readonly cycle: number;
  readonly step: number;
  /** Of a page, how often its cycle had gone back before; 0 if absent. */
  readonly wave?: number;
  /** Of a storm: what else the notice is about. */
  readonly otherStorms?: OtherStorms;
  readonly incident: Incident;
  readonly serviceName: string;
  /** The role that the recipient has now; null: it is a chat. */
  readonly role: Role | null;
};

export const incident: QueuedKind<Content, Stored, DueIncident> = {
  about: 'incident',
  isTranslated: true,
  stored: {
    wave: count,
    other_storms: objectOf<OtherStorms>({ numbers: listOf(count), more: count }),
  },
  read({ kind, notice: { wave, other_storms: otherStorms }, cycle, step, role, incident }) {
    if (incident === null || !isNoticeKind(kind)) return null;
    return {
      about: 'incident',
      kind,
      cycle,
      step,
      ...(wave !== undefined && { wave }),
      ...(otherStorms && { otherStorms }),
      role,
      ...incident(),
    };
  },
  compose: incidentContent,
  unwanted: unwantedPage,
  /** People count, chats do not. */
  isLimited: ({ user_id }) => user_id !== null,
  words: incidentWords,
  threadOf: ({ incident }) => `inc-${incident.id}`,
  sample: sampleNotice,
};

function incidentContent(due: DueNotice & DueIncident, options: ComposeOptions): Content {
  const { about, kind, incident, role, timezone, step } = due;
  const phrases = phrasesOf(due);
  const when = (instant: Temporal.Instant) => timeOf(instant, timezone);
  const next = nextText(incident, nextTimer(incident), { when, phrases });
  const stepMinutes = stepMinutesOf(due);
  const isAllowed = role === null || mayAct({ role }, incidentRole);
  return {
    about,
    kind,
    incident: {
      id: incident.id,
      number: incident.number,
      title: incident.title,
      ...othersOf(incident),
      status: incident.status,
      ...(incident.priority !== null && { priority: incident.priority }),
      ...(incident.severity !== null && { severity: incident.severity }),
      service: due.serviceName,
      ...shownDetails(incident.details, phrases, besides(incident)),
      links: incident.links,
      url: `${options.publicUrl}/incidents/${incident.number}`,
      created_at: incident.created_at,
      ...(next !== '' && { next }),
    },
    ...(kind === 'page' && step > 0 && { unansweredSteps: step, ...cutStepsOf(due) }),
    ...(stepMinutes !== undefined && { stepMinutes }),
    ...(due.otherStorms && { otherStorms: due.otherStorms }),
    ...(!isAllowed && { readOnlyRole: role }),
    ...(isAllowed &&
      incident.status !== 'resolved' && {
        links: {
          acknowledge: options.linkFor(due, 'acknowledge'),
          resolve: options.linkFor(due, 'resolve'),
        },
        handles: {
          acknowledge: options.handleFor(incident, 'acknowledge'),
          resolve: options.handleFor(incident, 'resolve'),
          escalate: options.handleFor(incident, 'escalate'),
          unacknowledge: options.handleFor(incident, 'unacknowledge'),
          webhook: options.handleFor(incident, 'webhook'),
          playbook: options.handleFor(incident, 'playbook'),
        },
      }),
  };
}

function cutStepsOf({ cycle, step, incident: { escalation } }: DueIncident) {
  const { requestedStep = 0 } = escalation;
  const isRequested = cycle === escalation.cycle && requestedStep > 0 && step >= requestedStep;
  return isRequested ? { cutSteps: requestedStep } : {};
}

/** What a notice shows of its incident outside of the details. */
const besides = ({ title, links, status }: Pick<Incident, 'title' | 'links' | 'status'>) => ({
  title,
  isResolved: status === 'resolved',
  hrefs: links.slice(0, LINKS_MAX).map(({ href }) => href),
});

/** Of a page. Undefined for the last step, after which no step waits. */
export function stepMinutesOf({
  kind,
  step,
  incident,
}: Pick<DueIncident, 'kind' | 'step' | 'incident'>): number | undefined {
  if (kind !== 'page') return undefined;
  const isLast = step === incident.steps.length - 1;
  return isLast ? undefined : incident.steps[step]?.escalate_after_minutes;
}

function unwantedPage(
  due: DueNotice & DueIncident,
  { now, limitReached, hardAlertLimit, wasTried }: SendConditions,
): Unwanted | null {
  const { incident } = due;
  const canceled = cancellationReason(due, incident);
  const holdUntil = canceled === null ? heldUntil(due, incident, now) : null;
  if (holdUntil !== null) return { holdUntil };
  const reason = canceled ?? (limitReached && hardAlertLimit ? limitReason : null);
  if (reason === null) return null;
  const text = `${wasTried ? 'is not retried' : 'was not sent'}: ${reason}`;
  return { reason, entry: noticeEntry(due, incident, { type: 'notice_cancelled', text }) };
}

const LINKS_MAX = 5;

type Form = {
  readonly tone: Words['tone'];
  readonly lead: (notice: IncidentNotice, words: Phrases['incident']) => string;
};

const forms: Readonly<Record<IncidentNoticeKind, Form>> = {
  page: {
    tone: 'alarm',
    lead: ({ unansweredSteps = 0, cutSteps = 0 }, words) => {
      if (unansweredSteps === 0) return words.triggered;
      return cutSteps === unansweredSteps
        ? words.escalated(cutSteps + 1)
        : words.unanswered(cutSteps + 1, unansweredSteps);
    },
  },
  nobody_paged: { tone: 'warning', lead: (_, words) => words.nobodyPaged },
  not_all_paged: { tone: 'warning', lead: (_, words) => words.notAllPaged },
  all_clear: {
    tone: 'good',
    lead: ({ incident: { resolved_by = '' } }, words) => words.resolved(phraseOf(resolved_by)),
  },
  assigned: {
    tone: 'news',
    lead: ({ recipient = '' }, words) => words.assigned(phraseOf(recipient)),
  },
  responder_added: {
    tone: 'news',
    lead: ({ recipient = '' }, words) => words.responderAdded(phraseOf(recipient)),
  },
  storm: { tone: 'warning', lead: (_, words) => words.storm },
};

/** How many other alerts fire. */
function othersOf(incident: Incident): { readonly otherAlerts?: number } {
  const { firing } = countAlerts(incident);
  return firing > 1 ? { otherAlerts: firing - 1 } : {};
}

/** The title of the worst alert, and how many others there are. */
export function titleOf(
  { title, otherAlerts = 0 }: Pick<IncidentNotice['incident'], 'title' | 'otherAlerts'>,
  words: Phrases['incident'],
): string {
  const line = lineOf(title) || words.untitled;
  return otherAlerts > 0 ? words.andMore(line, otherAlerts) : line;
}

function incidentWords(notice: IncidentNotice): Words {
  const { incident, otherStorms } = notice;
  const { tone, lead } = forms[notice.kind];
  const phrases = phrasesOf(notice);
  const { fact, incident: words } = phrases;
  const { service, status, priority, severity, created_at } = incident;
  return {
    tone,
    lead: lead(notice, words),
    label: `INC-${incident.number}`,
    title: titleOf(incident, words),
    facts: factsOf([
      { name: fact.also, value: otherStorms ? alsoText(otherStorms, words) : '' },
      { name: fact.service, value: service },
      { name: fact.status, value: phrases.status[status] },
      { name: fact.priority, value: shownLabel(priority) },
      { name: fact.severity, value: shownLabel(severity) },
      { name: fact.opened, value: timeOf(created_at, notice.timezone), at: created_at },
      { name: fact.next, value: incident.next ?? '' },
      { name: fact.role, value: readOnlyText(notice, phrases) },
    ]),
    details: blockOf(incident.details),
    ...(incident.rows && { rows: incident.rows, isDescribed: incident.isDescribed ?? false }),
    actions: actionsOf(notice),
    links: incident.links.flatMap(({ href, text }) => safeLink(href, text)).slice(0, LINKS_MAX),
    why: [whyOf(notice), isEnglish(notice) ? (notice.route ?? '') : '']
      .filter(Boolean)
      .map(phraseOf)
      .join(', '),
    organization: phraseOf(notice.organization.name),
    url: safeLink(incident.url)[0]?.href,
    at: created_at,
  };
}

const alsoText = ({ numbers, more }: OtherStorms, words: Phrases['incident']): string =>
  words.also(numbers.map((number) => `INC-${number}`).join(', '), more);

/** Stands for the links that are left out. */
const readOnlyText = (
  { incident, readOnlyRole }: IncidentNotice,
  { role, incident: words }: Phrases,
): string =>
  readOnlyRole === undefined || incident.status === 'resolved'
    ? ''
    : words.readOnly(role[readOnlyRole]);

/** What a page offers to do, while its incident is so. */
export const offeredActions: Readonly<
  Record<IncidentNotice['incident']['status'], readonly ('acknowledge' | 'resolve' | 'escalate')[]>
> = {
  triggered: ['acknowledge', 'resolve', 'escalate'],
  acknowledged: ['resolve'],
  resolved: [],
};

/** A resolved incident is only to be looked at. */
function actionsOf(notice: IncidentNotice): readonly Link[] {
  const { openIncident } = phrasesOf(notice).button;
  return [...answersTo(notice), { href: notice.incident.url, text: openIncident }].flatMap(
    ({ href, text }) => safeLink(href, text),
  );
}

function answersTo(notice: IncidentNotice): readonly Link[] {
  const { incident, links, gotIt } = notice;
  const { button } = phrasesOf(notice);
  if (gotIt) return [{ href: gotIt.link, text: button.gotIt }];
  if (!links || incident.status === 'resolved') return [];
  const resolve = { href: links.resolve, text: button.resolve };
  if (incident.status === 'acknowledged') return [resolve];
  return [{ href: links.acknowledge, text: button.acknowledge }, resolve];
}

/** A page of step 1. */
export function sampleNotice(
  change: Partial<IncidentNotice> = {},
  incident: Partial<IncidentNotice['incident']> = {},
): IncidentNotice {
  return {
    about: 'incident',
    kind: 'page',
    key: '65f000000000000000000042/1/1/ada/email',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    why: 'step 1 of policy Payments',
    links: {
      acknowledge: 'https://pager.example.com/a/k1?do=acknowledge',
      resolve: 'https://pager.example.com/a/k1?do=resolve',
    },
    ...change,
    incident: {
      id: '65f000000000000000000042',
      number: 42,
      title: 'Disk full on <db-1>',
      status: 'triggered',
      priority: 'p1',
      severity: 'sev1',
      service: 'Payments',
      details: '/var is at 98 %\nmount: "/dev/sda1" & co',
      links: [{ href: 'https://grafana.example.com/d/1?x=1&y=2', text: 'Graph' }],
      url: 'https://pager.example.com/incidents/42',
      created_at: Temporal.Instant.from('2026-11-21T05:49:53.123Z'),
      ...incident,
    },
  };
}
