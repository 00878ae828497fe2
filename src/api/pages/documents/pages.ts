// /docs and the documents below it: HTML of their bodies.
import { queryLimits } from '../../../limits/queries.ts';
import { escaped } from '../../../notices/words/html.ts';
import { counted } from '../../../resources/plural.ts';
import type { Catalog, Listed } from './catalog.ts';
import type { Rendered } from './markdown.ts';
import { documentsPath, guidesPath, referencePath } from './paths.ts';
import { marked, type SearchResult, type searchDocuments, wordsOf } from './search.ts';

/** From here on, a list of its parts opens a document. */
const MIN_PARTS = 4;

export function documentPage({ html, headings }: Rendered): string {
  const parts = headings.filter(({ depth }) => depth === 2);
  const links = parts.map(
    ({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
  );
  const contents =
    parts.length < MIN_PARTS
      ? ''
      : `<details><summary>On this page</summary><ul>\n${links.join('\n')}\n</ul></details>\n`;
  return `<p><a href="${documentsPath}">All documents</a></p>\n${contents}<article>\n${html}</article>`;
}

/** `unknown`: the path that was asked for, of which there is no document. */
export function documentListPage(catalog: Catalog, unknown?: string): string {
  const sections = catalog.map(
    ({ title, documents }) =>
      `<h2>${escaped(title)}</h2>\n<ul class="documents">\n${documents.map(entry).join('\n')}\n</ul>`,
  );
  return [
    '<h1>Documentation</h1>',
    searchForm(''),
    unknown === undefined
      ? ''
      : `<p role="alert">There is no document ${escaped(unknown)}. Choose one of these:</p>`,
    `<p><a href="${guidesPath}">Integration types</a> have a setup guide each. The <a href="${referencePath}">API reference</a> describes every operation and field.</p>`,
    ...sections,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const entry = ({ path, title, summary }: Listed) =>
  `<li><a href="${path}">${escaped(title)}</a>${summary === '' ? '' : `<p class="quiet">${escaped(summary)}</p>`}</li>`;

const searchForm = (text: string) =>
  `<form class="search" action="${documentsPath}" role="search"><div><label for="q">Search documents</label><input id="q" name="q" type="search" maxlength="${queryLimits.documentSearchText}" value="${escaped(text)}"></div><button>Search</button></form>`;

type Results = ReturnType<typeof searchDocuments>;

/** What the documents have about a text. */
export function documentSearchPage(text: string, { results, more }: Results): string {
  const words = wordsOf(text);
  const guides = `<a href="${guidesPath}?q=${encodeURIComponent(text)}">Search integration types</a>`;
  return [
    '<h1>Search documents</h1>',
    searchForm(text),
    results.length === 0
      ? `<p role="status">No document contains all of these words. Try fewer or shorter words.</p>`
      : `<p role="status">${counted(results.length, 'result')}${more > 0 ? `, the best of ${results.length + more}` : ''}</p>\n<ul class="documents">\n${results.map((one) => result(one, words)).join('\n')}\n</ul>`,
    `<p>${guides} · <a href="${documentsPath}">All documents</a></p>`,
  ].join('\n');
}

function result({ address, title, heading, line }: SearchResult, words: readonly string[]): string {
  const name = heading === '' || heading === title ? title : `${title}: ${heading}`;
  const context = line === '' ? '' : `<p class="quiet">${withMarks(line, words)}</p>`;
  return `<li><a href="${escaped(address)}">${withMarks(name, words)}</a>${context}</li>`;
}

const withMarks = (text: string, words: readonly string[]): string =>
  marked(text, words)
    .map(({ text: part, isMatch }) => (isMatch ? `<mark>${escaped(part)}</mark>` : escaped(part)))
    .join('');
