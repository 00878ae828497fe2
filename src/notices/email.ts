import type { Notice } from './notice.ts';
import {
  actionsOf,
  blockOf,
  factsOf,
  fit,
  type Link,
  labelOf,
  leadOf,
  lineOf,
  linksOf,
  organizationOf,
  titleOf,
  whyOf,
} from './wording.ts';

const TITLE_LENGTH_MAX = 200;
const DETAILS_LENGTH_MAX = 10_000;
const KEY_LENGTH_MAX = 200;

export type EmailMessage = {
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** The mail of a notice; `domain` is ours and ends every Message-ID. */
export function emailOf(
  notice: Notice,
  { from, domain }: { from: string; domain: string },
): EmailMessage {
  const incident = asciiOf(notice.incident.id);
  const thread = `<inc-${incident}@${domain}>`;
  return {
    from: lineOf(from),
    subject: subjectOf(notice),
    text: textOf(notice),
    html: htmlOf(notice),
    messageId: `<inc-${incident}.${fingerprintOf(notice.key)}@${domain}>`,
    headers: {
      // No mail has the thread's own id: it is the parent that all of them name, so that mail
      // programs gather them whichever arrives first.
      'In-Reply-To': thread,
      References: thread,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Pager-Incident': incident,
      'X-Pager-Notice': asciiOf(notice.key),
    },
  };
}

function subjectOf(notice: Notice): string {
  const subject = `[${labelOf(notice)}] ${fit(titleOf(notice), TITLE_LENGTH_MAX)}`;
  return notice.kind === 'all_clear' ? `Resolved: ${subject}` : subject;
}

function asciiOf(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, KEY_LENGTH_MAX);
}

/** FNV-1a of 64 bits: tells the notices of one incident apart, and is no secret. */
function fingerprintOf(key: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(key)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

function textOf(notice: Notice): string {
  const details = fit(blockOf(notice.incident.details), DETAILS_LENGTH_MAX);
  const parts = [
    `${leadOf(notice)}\n${labelOf(notice)} ${fit(titleOf(notice), TITLE_LENGTH_MAX)}`,
    factsOf(notice)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('\n'),
    actionsOf(notice).map(linkLine).join('\n'),
    details,
    linksOf(notice).map(linkLine).join('\n'),
    // "-- " on its own line is where mail programs know that a signature begins.
    `-- \n${signatureOf(notice)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function linkLine({ href, text }: Link): string {
  return `${text}: ${href}`;
}

function signatureOf(notice: Notice): string {
  const why = whyOf(notice);
  const reason = why ? ` You get this because: ${why}.` : '';
  return `Sent by Pager for ${organizationOf(notice)}.${reason}`;
}

const COLORS = {
  page: '#b42318',
  all_clear: '#067647',
  assigned: '#175cd3',
  responder_added: '#175cd3',
  nobody_paged: '#b54708',
  storm: '#b54708',
} as const satisfies Record<Notice['kind'], string>;

function htmlOf(notice: Notice): string {
  const title = fit(titleOf(notice), TITLE_LENGTH_MAX);
  const details = fit(blockOf(notice.incident.details), DETAILS_LENGTH_MAX);
  const facts = factsOf(notice)
    .map(({ name, value }) => `<b>${name}</b> ${escapeHtml(value)}`)
    .join('<br>\n');
  const links = linksOf(notice).map((link) => `<li>${anchorOf(link)}</li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:16px;font:15px/1.5 system-ui,sans-serif">
<div style="max-width:600px;margin:0 auto">
<p style="margin:0;font-weight:600;color:${COLORS[notice.kind]}">${escapeHtml(leadOf(notice))}</p>
<h1 style="margin:4px 0 12px;font-size:20px">${labelOf(notice)} ${escapeHtml(title)}</h1>
<p>${facts}</p>
<p>${actionsOf(notice).map(buttonOf).join('\n')}</p>
${details ? `<pre style="white-space:pre-wrap;font-size:13px">${escapeHtml(details)}</pre>` : ''}
${links.length > 0 ? `<ul>${links.join('')}</ul>` : ''}
<p style="font-size:12px;color:#667085">${escapeHtml(signatureOf(notice))}</p>
</div>
</body></html>
`;
}

function buttonOf({ href, text }: Link): string {
  const style = 'display:inline-block;margin:0 8px 8px 0;padding:8px 14px;border:1px solid #98a2b3';
  return `<a style="${style};border-radius:6px" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}

function anchorOf({ href, text }: Link): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark);
}
