// Reads no more of HTML than a person would see: no styles, scripts or addresses.

const HIDDEN = new Set(['script', 'style', 'title', 'template', 'noscript', 'svg']);
const BREAKS = new Set([
  ...['br', 'p', 'div', 'tr', 'table', 'li', 'ul', 'ol', 'hr', 'pre', 'blockquote', 'section'],
  ...['article', 'header', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'dd', 'body'],
]);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©' }),
  ...Object.entries({ reg: '®', hellip: '…', mdash: '—', ndash: '–', bull: '•', middot: '·' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', rarr: '→', larr: '←' }),
  ...Object.entries({ deg: '°', euro: '€', auml: 'ä', ouml: 'ö', uuml: 'ü', szlig: 'ß' }),
  ...Object.entries({ Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è', times: '×' }),
]);

/** The visible text of an HTML document, in lines. */
export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(collapse(open < 0 ? html.slice(at) : html.slice(at, open)));
    if (open < 0) break;
    const tag = tagAt(html, open);
    if (tag === undefined) parts.push('<');
    else if (BREAKS.has(tag.name)) parts.push('\n');
    else if (tag.name === 'td' || tag.name === 'th') parts.push(' ');
    at = tag?.end ?? open + 1;
  }
  return tidy(parts.join(''));
}

function tagAt(html: string, open: number): { name: string; end: number } | undefined {
  if (html.startsWith('<!--', open)) return { name: '', end: after(html, '-->', open + 4) };
  const name = /^<[!?/]?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 32))?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const end = after(html, '>', open);
  const isHidden = HIDDEN.has(name) && html[open + 1] !== '/' && html[end - 2] !== '/';
  return { name, end: isHidden ? endOfHidden(html, name, end) : end };
}

function endOfHidden(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}\\b`, 'gi');
  closing.lastIndex = from;
  const index = closing.exec(html);
  return index === null ? html.length : after(html, '>', index.index);
}

function after(html: string, mark: string, from: number): number {
  const index = html.indexOf(mark, from);
  return index < 0 ? html.length : index + mark.length;
}

function collapse(text: string): string {
  return unescaped(text.replace(/\s+/g, ' '));
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, ...index) => {
    const [decimal, hex, name] = index;
    if (name !== undefined) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\ufffd';
  });
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
