// The page of a link that acknowledges or resolves: what is wrong, what happens next, one button.
import type { Incident, Status } from '../../incidents/incident.ts';
import { type Details, detailsOf } from '../../notices/words/details.ts';
import { escaped } from '../../notices/words/html.ts';
import { readTime, spanText } from '../../notices/words/times.ts';
import { lineOf, safeLink } from '../../notices/words/wording.ts';
import type { Surroundings } from '../../storage/incidents/surroundings.ts';
import type { PageContent } from './page.ts';

/** What is known of the incident beside itself. */
export type Around = Surroundings & { readonly next: string };

type Acting = {
  readonly incident: Incident;
  /** Null: it could not be read, and the page does without. */
  readonly around: Around | null;
  readonly now: Temporal.Instant;
  /** HTML: the button; empty where there is nothing to do. */
  readonly bar: string;
  /** Text: what was done, or why not. */
  readonly result: string;
};

const states = { triggered: 'Triggered', acknowledged: 'Acknowledged', resolved: 'Resolved' };

export function actingPage({ incident, around, now, bar, result }: Acting): PageContent {
  const title = lineOf(incident.title) || 'Untitled incident';
  const timezone = around?.timezone ?? 'Etc/UTC';
  const when = (at: Temporal.Instant) => timeElement(at, readTime(at, { timezone, now }));
  const { priority, severity } = incident;
  const hrefs = incident.links.map(({ href }) => href);
  const isResolved = incident.status === 'resolved';
  const details = detailsOf(incident.details, { title: incident.title, hrefs, isResolved });
  const [described, ...others] = details.isDescribed ? details.rows : [];
  const rows = details.isDescribed ? others : details.rows;
  const labels = [
    ...[priority, severity].flatMap((label) =>
      label ? `<span class="label">${escaped(label)}</span>` : [],
    ),
    ...(around ? [`<span>${escaped(around.service)}</span>`] : []),
    `<span>INC-${incident.number}</span>`,
  ];
  return {
    title: `INC-${incident.number} ${title}`,
    width: 'text',
    body: `<p class="state ${incident.status}">${stateShape(incident.status)}${stateText(incident, { around, when })}</p>
<h1><bdi>${escaped(title)}</bdi></h1>
<p class="labels">${labels.join('')}</p>
${described ? `<p>${escaped(described.value).replaceAll('\n', '<br>')}</p>` : ''}
${linksHtml(incident)}
${card([result, around?.next ?? ''])}
${detailsHtml({ ...details, rows })}
<p class="quiet">Opened ${when(incident.created_at)}. Times in ${escaped(timezone)}.</p>
${bar === '' ? '' : `<div class="bar">${bar}</div>`}`,
  };
}

type Describing = {
  readonly around: Around | null;
  readonly when: (at: Temporal.Instant) => string;
};

/** HTML. */
function stateText(incident: Incident, { around, when }: Describing): string {
  const { status, created_at, acknowledged_at, resolved_at } = incident;
  const at = status === 'resolved' ? resolved_at : acknowledged_at;
  if (status === 'triggered' || at === null)
    return `<span>${states[status]} ${when(created_at)}</span>`;
  const who = status === 'resolved' ? around?.resolved_by : around?.acknowledged_by;
  const by = who ? ` by <bdi>${escaped(lineOf(who))}</bdi>` : '';
  return `<span>${states[status]}${by} ${when(at)}, after ${spanText(created_at, at).replaceAll(' ', '&nbsp;')}</span>`;
}

/** How an incident is, and who made it so. */
export function stateSentence(
  { status, created_at, acknowledged_at, resolved_at }: Incident,
  { around, now }: Pick<Acting, 'around' | 'now'>,
): string {
  const ends = {
    triggered: [created_at, null],
    acknowledged: [acknowledged_at, around?.acknowledged_by],
    resolved: [resolved_at, around?.resolved_by],
  } as const;
  const [at, who] = ends[status];
  const by = who ? ` by ${lineOf(who)}` : '';
  const isNews = at === null || now.since(at).total('minutes') < 1;
  return `${states[status]}${by}${isNews ? '' : ` ${spanText(at, now)} ago`}`;
}

function card(texts: readonly string[]): string {
  const lines = texts.filter((text) => text !== '').map((text) => `<p>${escaped(text)}</p>`);
  return lines.length === 0 ? '' : `<div class="card">${lines.join('')}</div>`;
}

function detailsHtml({ rows, left, text }: Details): string {
  if (text !== '') return `<h2>Alert details</h2>\n<pre>${escaped(text)}</pre>`;
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ name, value }) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  const more =
    left === 0
      ? ''
      : `<p class="quiet">${left === 'many' ? 'Many' : left} more are on the incident’s page.</p>`;
  return `<h2>Alert details</h2>
<table class="facts"><tbody>${lines.join('')}</tbody></table>${more}`;
}

function linksHtml({ number, links }: Incident): string {
  const outside = links
    .flatMap(({ href, text }) => safeLink(href, text))
    .map(
      ({ href, text }) =>
        `<a class="button" href="${escaped(href)}" rel="noopener noreferrer"><bdi>${escaped(text)}</bdi></a>`,
    );
  const own = `<a class="button" href="/incidents/${number}">Open incident</a>`;
  return `<p class="buttons">${[own, ...outside].join('')}</p>`;
}

const timeElement = (at: Temporal.Instant, text: string) =>
  `<time datetime="${at}">${escaped(text)}</time>`;

/** As the dashboard shows it; the word stands beside. */
const stateShape = (status: Status): string =>
  `<svg aria-hidden="true" viewBox="0 0 18 18">${shapes[status]}</svg>`;

const shapes: Readonly<Record<Status, string>> = {
  triggered:
    '<path d="M9 2.4 16.4 15a.9.9 0 0 1-.78 1.35H2.38A.9.9 0 0 1 1.6 15Z" fill="currentColor" ' +
    'stroke="currentColor" stroke-linejoin="round"/><path d="M9 7v4.2" stroke="var(--color-bg)" ' +
    'stroke-width="1.8" stroke-linecap="round"/><circle cx="9" cy="13.6" r="1.1" ' +
    'fill="var(--color-bg)"/>',
  acknowledged:
    '<circle cx="9" cy="9" r="6.6" fill="none" stroke="currentColor" stroke-width="1.8"/>' +
    '<path d="M9 2.4a6.6 6.6 0 0 1 0 13.2Z" fill="currentColor"/>',
  resolved:
    '<path d="m3.5 9.5 3.6 3.6 7.4-8" fill="none" stroke="currentColor" stroke-width="2" ' +
    'stroke-linecap="round" stroke-linejoin="round"/>',
};
