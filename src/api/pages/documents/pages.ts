// /docs and the documents below it: HTML of their bodies.
import { escaped } from '../../../notices/words/html.ts';
import type { Catalog, Listed } from './catalog.ts';
import type { Rendered } from './markdown.ts';
import { documentsPath, guidesPath, referencePath } from './paths.ts';

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
