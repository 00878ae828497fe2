import type { WhatsAppCloudSettings } from '../../resources/connections/whatsapp-cloud.ts';
import type { Connection } from '../vendor.ts';

/** A WhatsApp number, as a connection has it. */
export type CloudConnection = Omit<Connection, 'settings' | 'secrets'> & {
  readonly settings: WhatsAppCloudSettings;
  readonly secrets: {
    readonly access_token: string;
    readonly app_secret: string;
    readonly verify_token: string;
  };
};

/** Storage has read the settings and the secrets by their declaration. */
export const cloudConnectionOf = (open: Connection): CloudConnection => open as CloudConnection;
