// What a request comes to: an answer of the API, or a failure that a person can act on.

import { isObject } from '../resources/declaration/is-object.ts';
import type { Problem } from '../resources/declaration/resource.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Failure =
  /** The API said no: `code` is one of its own, such as `not_found` or `stale_version`. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly issues: readonly Problem[];
      readonly requestId: string;
    }
  /** The server has no such route: it is older than we are, or the base URL is not the API's. */
  | {
      readonly type: 'unknown_route';
      readonly address: string;
      readonly message: string;
      readonly requestId: string;
    }
  | {
      readonly type: 'unreachable';
      readonly address: string;
      readonly why: string;
      /** Waiting does not help. */
      readonly isLasting?: boolean;
    }
  /** Something answered, but not this API: a proxy, a login page, another service. */
  | { readonly type: 'not_pager'; readonly address: string; readonly why: string }
  | { readonly type: 'aborted' };

export type Failed = {
  readonly ok: false;
  readonly failure: Failure;
  /** No answer to it came from the API, or one that leaves it open: it may be done all the same. */
  readonly mayBeDone?: boolean;
};
export type Result<Value> = { readonly ok: true; readonly value: Value } | Failed;
export type Answer = { readonly ok: true; readonly status: number; readonly body: Fields } | Failed;

export const failed = (failure: Failure): Failed => ({ ok: false, failure });

/** One sentence or two for a person. Issues are left to the caller, who knows where they belong. */
export function failureText(failure: Failure): string {
  switch (failure.type) {
    case 'refused':
      return `${failure.message}${requestText(failure)}`;
    case 'unknown_route':
      return `${failure.message}${requestText(failure)}. The server at ${failure.address} is too old to support this, or the base URL does not end in /api/v1.`;
    case 'unreachable':
      return `Pager cannot be reached at ${failure.address}: ${failure.why}.`;
    case 'not_pager':
      return `The server at ${failure.address} is not Pager’s API: ${failure.why}. Check the base URL.`;
    case 'aborted':
      return 'The request was stopped before the server responded.';
  }
}

/** What is wrong with what was sent; empty if nothing is named. */
export const issuesText = (failure: Failure): string =>
  failure.type === 'refused'
    ? failure.issues.map(({ path, message }) => `${path} ${message}.`).join(' ')
    : '';

/** What its server's log knows it by. */
export const requestText = ({ requestId }: { readonly requestId: string }) =>
  requestId === '' ? '' : ` (request ${requestId})`;

export type Received = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
  readonly requestId: string;
  readonly text: string;
};

export function answerOf(received: Received, address: string): Answer {
  const body = readObject(received.text);
  const answer = body && answerIn({ status: received.status, body }, address);
  return answer ?? failed(notOurs(received, address));
}

type Answered = { readonly status: number; readonly body: Fields };

/** Null: it is no answer of the API. */
export function answerIn({ status, body }: Answered, address: string): Answer | null {
  if (status >= 200 && status < 300) return { ok: true, status, body };
  const { error: code, message, issues, request_id } = body;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const requestId = typeof request_id === 'string' ? request_id : '';
  // A path that it knows may not take the method yet.
  if (code === 'unknown_route' || code === 'method_not_allowed')
    return failed({ type: 'unknown_route', address, message, requestId });
  return failed({
    type: 'refused',
    status,
    code,
    message,
    issues: Array.isArray(issues) ? issues.filter(isProblem) : [],
    requestId,
  });
}

function readObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isProblem = (value: unknown): value is Problem =>
  isObject(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';

/** By these, what is in between says that it did not hear from the API. */
function notOurs(received: Received, address: string): Failure {
  const { status } = received;
  if (status === 407)
    return { type: 'unreachable', address, why: proxyAuthentication, isLasting: true };
  if (status === 408 || status >= 500)
    return { type: 'unreachable', address, why: `a proxy answered ${status}` };
  return { type: 'not_pager', address, why: whyNot(received) };
}

export const proxyAuthentication =
  'the proxy requires a user and a password (407), as in http://user:password@proxy.example.com:3128';

function whyNot({ status, contentType, location, text }: Received): string {
  if (status >= 300 && status < 400) return `it redirects (${status}) to ${plainAddress(location)}`;
  if (text === '') return `it answered ${status} without a body`;
  return `it answered ${status} with ${contentType || 'no content type'}`;
}

/** Queries of redirects may carry secrets of a sign-in. */
function plainAddress(location = ''): string {
  return /^[^?#\s]{1,200}/.exec(location.replace(/\/\/[^/?#]*@/, '//'))?.[0] ?? 'nowhere';
}
