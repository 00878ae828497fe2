// Renders Markdown as HTML. Raw HTML in it is shown as text, except for comments and named anchors.
import { Marked, type Token, type Tokens } from 'marked';
import { escaped } from '../../../notices/words/html.ts';

/** The address that a link leads to; null: it leads nowhere, and its text stays. */
export type AddressOf = (link: string) => string | null;

type Heading = { readonly id: string; readonly text: string; readonly depth: number };

export type Rendered = { readonly html: string; readonly headings: readonly Heading[] };

const frontMatter = /^---\n[\s\S]*?\n---\n/;
const comment = /<!--[\s\S]*?-->\n?/g;
const anchor = /^(?:<a id="[\w-]+">|<\/a>)$/;

export function renderMarkdown(markdown: string, addressOf: AddressOf): Rendered {
  const headings: Heading[] = [];
  const idOf = uniqueIds();
  const marked = new Marked({
    gfm: true,
    // An address is a link where it is written as one: many are examples.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text }) => rawHtml(text),
      heading({ tokens, text, depth }) {
        const heading = { id: idOf(text), text: textOf(tokens), depth };
        headings.push(heading);
        return `<h${depth} id="${escaped(heading.id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address === null ? inner : `<a href="${escaped(address)}">${inner}</a>`;
      },
      // The pages load no images.
      image: ({ text }) => escaped(text),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], name: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${name}>${this.parser.parseInline(cell.tokens)}</${name}>`).join('')}</tr>\n`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('');
        return `<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${rows}</tbody>\n</table></div>\n`;
      },
      code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
    },
  });
  const html = marked.parse(markdown.replace(frontMatter, ''), { async: false });
  return { html, headings };
}

/** What stands below a heading, as far as the next one. */
export type Section = {
  /** Of its heading, as the page has it; empty above the first one. */
  readonly id: string;
  readonly heading: string;
  /** Its paragraphs, items, rows and lines of code, as they are read. */
  readonly lines: readonly string[];
};

export function sectionsOf(markdown: string): readonly Section[] {
  const idOf = uniqueIds();
  const sections: { id: string; heading: string; lines: string[] }[] = [
    { id: '', heading: '', lines: [] },
  ];
  for (const token of new Marked().lexer(markdown.replace(frontMatter, '')))
    if (token.type === 'heading')
      sections.push({ id: idOf(token.text), heading: textOf(insideOf(token)), lines: [] });
    else sections.at(-1)?.lines.push(...linesOf(token));
  return sections.filter(({ id, lines }) => id !== '' || lines.length > 0);
}

function linesOf(token: Token): readonly string[] {
  switch (token.type) {
    case 'html':
    case 'space':
      return [];
    case 'code':
      return token.text.split('\n').filter((line: string) => line.trim() !== '');
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(linesOf));
    case 'blockquote':
      return insideOf(token).flatMap(linesOf);
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(({ tokens }) => textOf(tokens)).join(' · '));
    }
    default:
      return [textOf([token]).replaceAll('\n', ' ')];
  }
}

/** The heading of a document, and the first sentence below it, if there is one before the next heading. */
export function openingOf(markdown: string): { readonly title: string; readonly summary: string } {
  const [opening = ''] = markdown.replace(frontMatter, '').split(/^## /m, 1);
  const tokens = new Marked().lexer(opening);
  const heading = tokens.find(({ type }) => type === 'heading');
  return { title: textOf(insideOf(heading)), summary: summaryOf(tokens) };
}

function rawHtml(text: string): string {
  const parts = text.replace(comment, '').split(/(<[^>]*>)/);
  return parts.map((part) => (anchor.test(part) ? part : escaped(part))).join('');
}

/** As on GitHub, so that a link to a heading works in both. */
function uniqueIds(): (heading: string) => string {
  const counts = new Map<string, number>();
  return (heading) => {
    const id = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

function summaryOf(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  const text = textOf(insideOf(paragraph)).replaceAll('\n', ' ');
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(text) ?? [text];
  return sentence.replace(/:$/, '.');
}

/** What is read of inline Markdown, without its marks. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inside = insideOf(token);
      if (inside.length > 0) return textOf(inside);
      return 'text' in token ? String(token.text) : token.raw;
    })
    .join('');
}

const insideOf = (token: Token | undefined): readonly Token[] =>
  token !== undefined && 'tokens' in token ? (token.tokens ?? []) : [];
