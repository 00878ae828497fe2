import type { GuideAddresses } from '../../resources/guide-addresses.ts';
import { momentText } from '../ui/moment-text.ts';
import { words } from './words.ts';

export type Integration = {
  readonly id: string;
  readonly counter: number;
  readonly team_id: string;
  readonly slug: string;
  readonly name?: string;
  readonly description?: string;
  readonly service_id: string;
  readonly escalation_policy_id: string;
  readonly enabled: boolean;
  readonly archived_at?: string;
  /** Masked for those below manager, like the two addresses. */
  readonly token: string;
  readonly webhook_url: string;
  readonly email_address: string;
};

export type IntegrationType = {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly guide_url: string;
  /** Its names in other incident services. */
  readonly known_as?: readonly string[];
  readonly guide: {
    readonly steps: readonly string[];
    readonly snippets: readonly { readonly file: string; readonly text: string }[];
    /** Absent in answers of the release before. */
    readonly notes?: readonly string[];
  };
};

export type Event = {
  readonly id: string;
  readonly received_at: string;
  readonly source: 'http' | 'mail';
  readonly path: string;
  readonly body: string;
  readonly body_encoding: 'utf-8' | 'base64';
  readonly content_type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many bytes it had; absent if all of it is stored. */
  readonly body_cut_from?: number;
  /** How many requests it stands for: more than 1 in a storm, and beyond the storage budget. */
  readonly requests?: number;
  readonly outcome: string;
  readonly reason?: string;
  readonly alerts?: readonly EventAlert[];
};
export type EventAlert = {
  readonly action?: string;
  readonly dedup_key: string;
  readonly outcome: string;
  readonly incident_id: string | null;
  /** Of the first alerts of an event, if the reader may see the incident. */
  readonly incident_number?: number;
  readonly incident_title?: string;
  readonly reason: string | null;
};

/** Whether an alert of it was read as the end of something of which nothing was open. */
export const endedNothing = ({ alerts = [] }: Event): boolean =>
  alerts.some(
    ({ action, outcome, incident_id }) =>
      action === 'resolve' && outcome === 'ignored' && incident_id === null,
  );

/** For those who may not see the addresses. */
const unknownAddresses: GuideAddresses = {
  url: '<public url>/hooks/<token>/push-events',
  email: '<token>@<email domain>',
};

export const addressesFor = (
  { webhook_url, email_address }: Integration,
  maySeeThem: boolean,
): GuideAddresses => (maySeeThem ? { url: webhook_url, email: email_address } : unknownAddresses);

const HIDDEN = '••••••••';

/** The text without the token, wherever that stands in it. */
export const withoutToken = (text: string, token: string): string =>
  token === '' ? text : text.replaceAll(token, HIDDEN);

/** Where an event came that was sent from Pager. */
const TEST_PATH = '/test-event';
export const isTest = ({ path }: Pick<Event, 'path'>): boolean => path === TEST_PATH;

/** Of the latest events, newest first: the last that the tool has sent, and the last test. */
export const latestOf = (events: readonly Event[]) => ({
  tool: events.find((event) => !isTest(event)),
  test: events.find(isTest),
});

const SHOWN_OUTCOMES = 3;

/** What came of an event; of several alerts, how many had which result. */
export function outcomeText({ outcome, alerts = [] }: Pick<Event, 'outcome' | 'alerts'>): string {
  const textFor = (one: string) => words.outcomes[one] ?? one;
  if (outcome !== 'mixed' || alerts.length === 0) return textFor(outcome);
  const counts = [...Map.groupBy(alerts, (alert) => alert.outcome)]
    .map(([one, all]) => words.outcomeCount(all.length, textFor(one)))
    .slice(0, SHOWN_OUTCOMES);
  return `${textFor(outcome)}: ${counts.join(', ')}`;
}

type EventIncident = {
  readonly id: string;
  readonly number?: number | undefined;
  readonly title?: string | undefined;
};

/** The incidents of an event, each once. */
export function incidentsOf({ alerts = [] }: Event): readonly EventIncident[] {
  const incidents = new Map<string, EventIncident>();
  for (const { incident_id: id, incident_number: number, incident_title: title } of alerts)
    if (id !== null && !incidents.has(id)) incidents.set(id, { id, number, title });
  return [...incidents.values()];
}

const SHOWN_OF_BODY = 64 * 1_024;

/** As much of a body as a page shows. */
export function shownBody({ body, body_encoding }: Event): { text: string; isCut: boolean } | null {
  if (body_encoding === 'base64') return null;
  return { text: body.slice(0, SHOWN_OF_BODY), isCut: body.length > SHOWN_OF_BODY };
}

/** An event in a list to choose from: when it came, and what it was about. */
export function eventText({ received_at, outcome, alerts = [] }: Event): string {
  const [first] = alerts;
  const at = momentText(received_at, Date.now(), 'second');
  return [at, first?.incident_title ?? first?.dedup_key ?? '', words.outcomes[outcome] ?? outcome]
    .filter(Boolean)
    .join(' · ');
}
