// The HTML of a mail: what mail programs show alike, which is tables and styles of elements. Those
// that know a dark theme read the style in the head; the others drop it, and show the light one.
import { mailColors } from './mail-colors.ts';
import { escaped } from './words/html.ts';
import { type Fact, headingOf, type Link, type Words } from './words/wording.ts';

type Color = keyof typeof mailColors;

const TONES = {
  alarm: 'red',
  good: 'green',
  news: 'iris',
  warning: 'amber',
} as const satisfies Record<Words['tone'], Color>;

const FONT = "'Hanken Grotesk',-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

const darkStyle = Object.entries(mailColors)
  .map(
    ([name, [, dark]]) =>
      `.${name}{color:${dark}!important}.on-${name}{background:${dark}!important}`,
  )
  .join('');
const head = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkStyle}.edge{border-color:${mailColors.line[1]}!important}}</style>`;

/** What is cut to the length of a mail. */
type Cut = { readonly title: string; readonly details: string; readonly signature: string };

export function mailHtml(words: Words, { title, details, signature }: Cut): string {
  const [main, ...actions] = words.actions;
  const { rows = [], isDescribed = false } = words;
  const described = isDescribed ? rows[0] : undefined;
  const text = described?.value ?? (words.rows ? '' : details);
  const style = described
    ? 'margin:0 0 16px;white-space:pre-wrap'
    : 'white-space:pre-wrap;font-size:13px';
  const tag = described ? 'p' : 'pre';
  return `<!doctype html>
<html lang="en"><head>${head}<title>${escaped(title)}</title></head>
<body ${on('bg', 'margin:0;padding:0')}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${on('bg')}><tr>
<td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr>
<td align="left" ${inked('ink', `font:16px/24px ${FONT}`)}>
<p ${inked(TONES[words.tone], 'margin:0 0 4px;font-weight:600')}>${escaped(words.lead)}</p>
<h1 ${inked('ink', 'margin:0 0 16px;font-size:20px;line-height:28px')}>${headingOf(words, escaped(title))}</h1>
${main ? button(main) : ''}
${actions.length > 0 ? `<p style="margin:0 0 16px">${actions.map(anchor).join(' &nbsp; ')}</p>` : ''}
${table(words.facts)}
${text && `<${tag} ${inked('ink', style)}>${escaped(text)}</${tag}>`}
${words.links.length > 0 ? `<p style="margin:0 0 16px">${words.links.map(anchor).join('<br>\n')}</p>` : ''}
${table(rows.slice(isDescribed ? 1 : 0))}
<p ${inked('ink3', 'margin:24px 0 0;font-size:13px;line-height:18px')}>${escaped(signature)}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`;
}

/** Names at the left, as narrow as they are. */
function table(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(({ name, value }) => {
    const border = `border-top:1px solid ${mailColors.line[0]}`;
    const cell = `padding:6px 12px;vertical-align:top;font-size:14px;line-height:20px;${border}`;
    return (
      `<tr><td class="ink2 edge" style="${cell};width:30%;color:${mailColors.ink2[0]}">${escaped(name)}</td>` +
      `<td class="ink edge" style="${cell};color:${mailColors.ink[0]};word-break:break-word">` +
      `${escaped(value).replaceAll('\n', '<br>')}</td></tr>`
    );
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${on('surface', 'margin:0 0 16px')}>
${rows.join('\n')}
</table>`;
}

function button({ href, text }: Link): string {
  const style = `display:block;padding:12px 24px;border-radius:10px;font-weight:600;text-align:center;text-decoration:none;color:${mailColors.bg[0]};background:${mailColors.ink[0]}`;
  return `<p style="margin:0 0 12px"><a class="bg on-ink" style="${style}" href="${escaped(href)}">${escaped(text)}</a></p>`;
}

const anchor = ({ href, text }: Link) =>
  `<a ${inked('iris')} href="${escaped(href)}">${escaped(text)}</a>`;

const inked = (color: Color, more = '') =>
  `class="${color}" style="color:${mailColors[color][0]}${more && `;${more}`}"`;
const on = (color: Color, more = '') =>
  `class="on-${color}" style="background:${mailColors[color][0]}${more && `;${more}`}"`;
