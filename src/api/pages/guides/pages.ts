// /docs/integrations and /docs/integrations/<slug>: HTML of their bodies.
import { escaped } from '../../../notices/words/html.ts';
import { type GuideAddresses, withAddresses } from '../../../resources/guide-addresses.ts';
import { signInPath } from '../../sign-in/return-path.ts';
import { documentsPath, eventsInPath, guidesPath } from '../documents/paths.ts';
import { logoHtml } from '../logos.ts';
import { alsoUnderstood, type GuidedType } from './content.ts';

/** An integration of the type of a guide. */
export type GuidedIntegration = {
  readonly id: string;
  readonly name: string;
};

/** Whoever reads a guide; null: nobody is signed in. */
export type GuideReader = {
  readonly integrations: readonly GuidedIntegration[];
  readonly hasMore: boolean;
  readonly maySeeAddresses: boolean;
  /** The one that is asked for; null: there is none such. */
  readonly chosen: GuidedIntegration | null | undefined;
} | null;

type Guide = {
  readonly type: GuidedType;
  readonly addresses: GuideAddresses;
  readonly reader: GuideReader;
  /** The address of this page. */
  readonly page: string;
};

export function guidePage({ type, addresses, reader, page }: Guide): string {
  const { name, description, guide } = type;
  const lines = (texts: readonly string[]) =>
    texts.map((text) => `<li>${withCode(text, addresses)}</li>`).join('\n');
  const snippets = (guide.snippets ?? []).map(
    ({ file, text }) =>
      `<h3><code>${escaped(file)}</code></h3>\n<pre>${escaped(withAddresses(text, addresses))}</pre>`,
  );
  return [
    `<p><a href="${guidesPath}">All integration types</a></p>`,
    `<h1>${logoHtml(type)}<span>${escaped(name)}</span></h1>`,
    `<p class="second">${escaped(description)}</p>`,
    introduction(reader, page),
    `<h2>Steps</h2>\n<ol>\n${lines(guide.steps)}\n</ol>`,
    ...snippets,
    guide.notes?.length ? `<h2>Notes</h2>\n<ul>\n${lines(guide.notes)}\n</ul>` : '',
    `<h2>Other supported input</h2>\n<ul>\n${lines(alsoUnderstood(type))}\n</ul>`,
    `<p><a href="${eventsInPath}">How events are read</a></p>`,
    ownIntegrations(type, reader),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Whose addresses stand in the steps. */
function introduction(reader: GuideReader, page: string): string {
  if (reader === null)
    return card(
      `<a href="${escaped(signInPath(page))}">Sign in</a> to see the addresses of your integrations in these steps.`,
    );
  const { chosen, maySeeAddresses, integrations } = reader;
  if (chosen === null)
    return '<p role="alert">This integration does not exist, has another type, or is archived.</p>';
  if (!maySeeAddresses) return card('Only managers and above can see integration addresses.');
  if (chosen)
    return card(
      `Shown with the addresses of <a href="/integrations/${chosen.id}">${nameHtml(chosen)}</a>.`,
    );
  return integrations.length === 0
    ? ''
    : card(
        '<a href="#own">Choose one of your integrations</a> to see its addresses in these steps.',
      );
}

const card = (html: string) => `<div class="card"><p>${html}</p></div>`;

const nameHtml = ({ name }: GuidedIntegration) => `<bdi>${escaped(name)}</bdi>`;

function ownIntegrations({ guide_url }: GuidedType, reader: GuideReader): string {
  if (reader === null) return '';
  const { integrations, hasMore, maySeeAddresses, chosen } = reader;
  const items = integrations.map((one) =>
    !maySeeAddresses || one.id === chosen?.id
      ? `<li>${nameHtml(one)}</li>`
      : `<li><a href="${guide_url}?integration=${one.id}">${nameHtml(one)}</a></li>`,
  );
  const list = items.length === 0 ? '<p>None yet.</p>' : `<ul>\n${items.join('\n')}\n</ul>`;
  return `<h2 id="own">Your integrations of this type</h2>\n${list}${hasMore ? '\n<p>More integrations are not shown.</p>' : ''}`;
}

/** An address in a sentence looks like one. */
const withCode = (text: string, addresses: GuideAddresses): string =>
  withAddresses(escaped(text), addresses, (value) => `<code>${escaped(value)}</code>`);

type GuideList = {
  readonly types: readonly GuidedType[];
  /** What they were searched for. */
  readonly text: string;
  /** The slug that was asked for, of which there is no type. */
  readonly unknown?: string;
};

export function guideListPage({ types, text, unknown }: GuideList): string {
  const items = types.map(
    (type) =>
      `<li>${logoHtml(type)}<a href="${type.guide_url}">${escaped(type.name)}</a>` +
      `<p class="quiet">${escaped(type.description)}</p></li>`,
  );
  return [
    '<h1>Integration types</h1>',
    unknown === undefined
      ? ''
      : `<p role="alert">There is no integration type ${escaped(unknown)}. Choose one of these:</p>`,
    `<form class="search" action="${guidesPath}" role="search">`,
    `<div><label for="q">Tool</label><input id="q" name="q" type="search" value="${escaped(text)}"></div>`,
    '<button>Search</button></form>',
    items.length === 0
      ? `<p>No type matches. <a href="${guidesPath}/webhook">Webhook</a> reads any JSON, and <a href="${guidesPath}/email">E-mail</a> reads any e-mail. <a href="${guidesPath}">Show all types</a></p>`
      : `<ul class="types">\n${items.join('\n')}\n</ul>`,
    `<p><a href="${eventsInPath}">How events are read</a> · <a href="${documentsPath}">All documents</a></p>`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}
