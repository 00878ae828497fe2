// Where Microsoft is reached: the Bot Connector, whose address may be a tenant's own, the authority that
// issues tokens, and the keys of what the connector sends. An operator replaces all three by one address.
import { teamsServiceHosts } from '../../resources/connections/msteams.ts';

export const teamsUrl = 'https://smba.trafficmanager.net/teams';
const AUTHORITY = 'https://login.microsoftonline.com';
const METADATA = 'https://login.botframework.com/v1/.well-known/openidconfiguration';

export const connectorOf = (baseUrl: string, serviceUrl: unknown): string =>
  baseUrl === teamsUrl && typeof serviceUrl === 'string' ? withoutSlash(serviceUrl) : baseUrl;

export const tokenUrlOf = (baseUrl: string, tenantId: string): string =>
  `${baseUrl === teamsUrl ? AUTHORITY : originOf(baseUrl)}/${tenantId}/oauth2/v2.0/token`;

export const metadataUrlOf = (baseUrl: string): string =>
  baseUrl === teamsUrl ? METADATA : `${originOf(baseUrl)}${new URL(METADATA).pathname}`;

/** The token of a bot is sent there: so no other host is ever called, whatever a message says. */
export function isServiceUrl(baseUrl: string, serviceUrl: string): boolean {
  const url = URL.parse(serviceUrl);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false;
  if (baseUrl !== teamsUrl) return url.origin === originOf(baseUrl);
  return url.protocol === 'https:' && url.port === '' && teamsServiceHosts.includes(url.hostname);
}

export const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

export const originOf = (url: string): string => URL.parse(url)?.origin ?? '';
