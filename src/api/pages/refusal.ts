// A refusal as a person sees it who followed a link or typed an address.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escaped } from '../../notices/words/html.ts';
import type { ErrorAnswer } from '../http/error-answer.ts';
import { signInPath } from '../sign-in/return-path.ts';
import { htmlPage } from './page.ts';

const titles: Readonly<Record<number, string>> = {
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  410: 'No longer available',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};
const titleOfOthers = 'This cannot be done';
/** After these, the same may go well a little later. */
const passing = [429, 500, 503];

/**
 * Whether a browser shows the answer. Some programs ask for HTML without meaning it, as Java's do:
 * those send a key, an event, or a body that no form of ours has.
 */
export function isForBrowser({ method, url, headers }: FastifyRequest): boolean {
  if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return false;
  if (method !== 'GET' && url.startsWith('/hooks/')) return false;
  const { accept = '', 'content-type': sent = 'text/plain' } = headers;
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/;
  return accept.includes('text/html') && isForm.test(sent);
}

/** The reply has its status and its headers. */
export function refusalPage(
  reply: FastifyReply,
  { url }: FastifyRequest,
  { status, body }: ErrorAnswer,
) {
  const issues = body.issues.map(
    ({ path, message }) => `<li>${escaped(`${path} ${message}`)}</li>`,
  );
  const way = status === 401 ? linkTo(signInPath(url), 'Sign in') : linkTo('/', 'Open Pager');
  const title = titles[status] ?? titleOfOthers;
  const again = passing.includes(status) ? `<p>${linkTo('', 'Try again')}</p>` : '';
  return htmlPage(reply.header('vary', 'accept'), {
    title,
    body: `<h1>${title}</h1>
<p>${escaped(status === 401 ? 'Sign in to see this page.' : body.message)}</p>
${issues.length === 0 ? '' : `<ul>${issues.join('')}</ul>`}${again}<p>${way}</p>
<p><small>Request ${escaped(body.request_id)}</small></p>`,
  });
}

const linkTo = (address: string, text: string) => `<a href="${escaped(address)}">${text}</a>`;
