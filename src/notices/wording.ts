import type { Notice } from './notice.ts';

// The words that every form of a notice shares, and the cleaning of words that came from outside:
// monitoring tools send escape codes, half characters and text that turns the reading direction.

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ELLIPSIS = '…';
const LINKS_MAX = 5;
const HREF_LENGTH_MAX = 1000;
const LINK_TEXT_LENGTH_MAX = 100;
const FACT_LENGTH_MAX = 200;

export type Fact = { readonly name: string; readonly value: string };
export type Link = { readonly href: string; readonly text: string };

/** Text from outside that may have several lines. */
export function blockOf(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
  return lines.replace(CONTROLS, '').trim();
}

/** Text from outside as one line. */
export function lineOf(text: string): string {
  return blockOf(text).replace(/\s+/g, ' ');
}

/** At most `max` UTF-16 units as `written`, ended by an ellipsis where the text was cut. */
export function fit(text: string, max: number, written: (text: string) => string = same): string {
  if (text.length <= max) {
    const whole = written(text);
    if (whole.length <= max) return whole;
  }
  let kept = '';
  for (const point of text) {
    const next = written(point);
    if (kept.length + next.length > max - ELLIPSIS.length) break;
    kept += next;
  }
  return kept + ELLIPSIS;
}

function same(text: string): string {
  return text;
}

export function labelOf(notice: Notice): string {
  return `INC-${notice.incident.number}`;
}

export function titleOf(notice: Notice): string {
  return lineOf(notice.incident.title) || 'Untitled incident';
}

/** What happened, before the title says to what. */
export function leadOf(notice: Notice): string {
  const { resolved_by } = notice.incident;
  switch (notice.kind) {
    case 'page':
      return 'Incident triggered';
    case 'all_clear':
      return resolved_by ? `Resolved by ${fit(lineOf(resolved_by), FACT_LENGTH_MAX)}` : 'Resolved';
    case 'assigned':
      return `Assigned to ${fit(lineOf(notice.recipient ?? ''), FACT_LENGTH_MAX) || 'you'}`;
    case 'responder_added':
      return `Responder added: ${fit(lineOf(notice.recipient ?? ''), FACT_LENGTH_MAX) || 'you'}`;
    case 'nobody_paged':
      return 'Nobody could be paged';
    case 'storm':
      return 'Alert storm';
  }
}

/** What is known of the incident besides its title and details; none is empty. */
export function factsOf(notice: Notice): readonly Fact[] {
  const { service, status, priority, severity, created_at } = notice.incident;
  const facts = [
    { name: 'Service', value: service },
    { name: 'Status', value: status },
    { name: 'Priority', value: priority ?? '' },
    { name: 'Severity', value: severity ?? '' },
    { name: 'Opened', value: timeOf(created_at) },
  ];
  return facts
    .map(({ name, value }) => ({ name, value: fit(lineOf(value), FACT_LENGTH_MAX) }))
    .filter(({ value }) => value !== '');
}

function timeOf(instant: Temporal.Instant): string {
  return `${instant.toString({ smallestUnit: 'second' }).replace('T', ' ').replace('Z', '')} UTC`;
}

export function whyOf(notice: Notice): string {
  return fit(lineOf(notice.why), FACT_LENGTH_MAX);
}

export function organizationOf(notice: Notice): string {
  return fit(lineOf(notice.organization.name), FACT_LENGTH_MAX);
}

/** What the reader can do; what a resolved incident offers is only to be looked at. */
export function actionsOf(notice: Notice): readonly Link[] {
  return [...answersTo(notice), { href: notice.incident.url, text: 'Open incident' }].flatMap(
    ({ href, text }) => safeLink(href, text),
  );
}

function answersTo({ incident, links }: Notice): readonly Link[] {
  if (!links || incident.status === 'resolved') return [];
  const resolve = { href: links.resolve, text: 'Resolve' };
  if (incident.status === 'acknowledged') return [resolve];
  return [{ href: links.acknowledge, text: 'Acknowledge' }, resolve];
}

export function urlOf(notice: Notice): string | undefined {
  return safeLink(notice.incident.url)[0]?.href;
}

/** The links that came with the alert, without those that a reader should not be led to. */
export function linksOf(notice: Notice): readonly Link[] {
  return notice.incident.links
    .flatMap(({ href, text }) => safeLink(href, text))
    .slice(0, LINKS_MAX);
}

function safeLink(written: string, text = ''): readonly Link[] {
  const url = URL.parse(lineOf(written));
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
  // Characters that end a link in one of the vendors' markups.
  const href = url.href.replace(/[|<>()"`]/g, percentEncode);
  if (href.length > HREF_LENGTH_MAX) return [];
  return [{ href, text: fit(lineOf(text) || url.host, LINK_TEXT_LENGTH_MAX) }];
}

function percentEncode(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}
