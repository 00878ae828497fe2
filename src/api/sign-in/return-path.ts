// Signing in leads back to the page that asked for it, and never away from this server.
import { API_PREFIX } from '../route.ts';

const HOME = '/';
const OWN = 'http://own.invalid';

/** The sign-in page that leads back to this page. */
export const signInPath = (page: string) => `/sign-in${returnQuery(page)}`;

/** The way back as a query; empty when it leads home anyway. */
export const returnQuery = (page: string) =>
  page === HOME ? '' : `?${new URLSearchParams({ next: page })}`;

/** The page to go to after signing in: one of ours, else home. */
export function returnPath({ next }: { readonly next?: unknown }): string {
  if (typeof next !== 'string' || !next.startsWith('/')) return HOME;
  const url = URL.parse(next, OWN);
  if (url?.origin !== OWN) return HOME;
  // Judged as browsers resolve it: `/.//host` and `/\t/host` are a `//host` in disguise.
  const page = `${url.pathname}${url.search}`;
  return page.startsWith('//') || page.startsWith(`${API_PREFIX}/`) ? HOME : page;
}
