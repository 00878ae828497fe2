// Where a server is reached and where its mail goes, as each start tells it.
import { join } from 'node:path';
import { API_PREFIX } from '../api/route.ts';
import { type Address, addressText, type Config } from '../config.ts';

type Addresses = {
  readonly listens: string;
  readonly dashboard: string;
  readonly api: string;
  readonly events: string;
  readonly alert_mail: string;
  readonly mail: string;
};

export type Listening = { readonly http: Address; readonly mail: Address };

export function addressesOf(
  config: Config,
  { http, mail }: Listening,
  isMailConnected: boolean,
): Addresses {
  const { publicUrl, mailListener } = config;
  return {
    listens: addressText(http),
    dashboard: `${publicUrl}/`,
    api: `${publicUrl}${API_PREFIX}`,
    events: `${publicUrl}/hooks/<token>/push-events`,
    alert_mail: `<token>@${mailListener.domain} by SMTP at ${addressText(mail)}`,
    mail: mailTargetOf(config, isMailConnected),
  };
}

function mailTargetOf({ mail: { smtpUrl }, dataDir }: Config, isMailConnected: boolean): string {
  if (smtpUrl !== null) return `sent through ${URL.parse(smtpUrl)?.host}`;
  return isMailConnected
    ? 'sent through the mail server under Channels'
    : `written to ${join(dataDir, 'mail')}, because no mail server is set up`;
}

/** For people at a terminal. */
export const addressesText = (addresses: Addresses): string =>
  [
    '',
    `Pager is ready and listens on ${addresses.listens}.`,
    '',
    `  Dashboard   ${addresses.dashboard}`,
    `  API         ${addresses.api}`,
    `  Events in   ${addresses.events}`,
    `  Alert mail  ${addresses.alert_mail}`,
    `  Mail        ${addresses.mail}`,
    '',
  ].join('\n');
