import { lazyRouteComponent } from '@tanstack/react-router';
import { loadPage } from '../api/load-part.ts';

/** A page that is loaded once somebody goes to it. */
export const lazyPage = <Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) => lazyRouteComponent(() => loadPage(load), name);
