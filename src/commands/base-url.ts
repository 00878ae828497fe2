import { readConfig } from '../config.ts';

/** Where a server with these settings serves its API; null where PAGER_BASE_URL says it. */
export function localBaseUrl(environment: NodeJS.ProcessEnv): string | null {
  if (environment['PAGER_BASE_URL']) return null;
  const server = readConfig(environment);
  return server.ok ? `${server.config.publicUrl}/api/v1` : null;
}
