// The frame of every page that the server makes: nothing from elsewhere, and one script at most.
import type { FastifyReply } from 'fastify';
import { escaped } from '../../notices/words/html.ts';
import { styleAddress } from './style.ts';

export type PageContent = {
  /** Text. */
  readonly title: string;
  /** HTML with a heading, everything from outside in it `escaped`. */
  readonly body: string;
  /** A form in the middle, what is read, or a long document. */
  readonly width?: 'form' | 'text' | 'document';
  /** The address of the one script that it loads; absent: it runs none. */
  readonly script?: string;
};

const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";
const withScript = `${policy}; script-src 'self'; connect-src 'self'`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  // Not `no-referrer`: with it, browsers send our own forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

export function htmlPage(reply: FastifyReply, page: PageContent) {
  const { title, body, width = 'form', script } = page;
  const csp = script === undefined ? policy : withScript;
  return reply.headers({ ...headers, 'content-security-policy': csp }).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${styleAddress}">${script === undefined ? '' : `\n<script type="module" src="${script}"></script>`}
</head>
<body>
<div class="page ${width}">
<header><a href="/">${mark}Pager</a></header>
<main>
${body}
</main>
</div>
</body>
</html>
`);
}

const mark =
  '<svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" ' +
  'fill="currentColor"/><g fill="none" stroke="var(--color-bg)" stroke-width="2.4" ' +
  'stroke-linecap="round"><path d="M9.5 9.5a9.2 9.2 0 0 0 0 13M22.5 9.5a9.2 9.2 0 0 1 0 13"/></g>' +
  '<circle cx="16" cy="16" r="3.4" fill="var(--color-bg)"/></svg>';
