import { optional, text } from '../declaration/field.ts';
import type { Settings, Vendor } from './vendor.ts';

export const ntfyUrl = 'https://ntfy.sh';

/** The server of a connection, without a slash at its end. */
export const ntfyServerOf = ({ base_url }: Settings): string =>
  typeof base_url === 'string' ? base_url : ntfyUrl;

export const ntfy = {
  vendor: 'ntfy',
  title: 'ntfy',
  doc: 'An ntfy server. The ntfy app shows pages on phones.',
  channels: ['push-notification'],
  channelsOf: () => ['push-notification'],
  receive: 'nothing',
  settings: {
    base_url: optional(
      text({
        doc: `The address of the server, without a path. Default: ${ntfyUrl}.`,
        max: 300,
        pattern: '^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
        example: 'https://ntfy.example.com',
      }),
    ),
  },
  secrets: {
    token: optional(
      text({
        doc: 'An access token, if only users of the server can publish.',
        pattern: '^tk_[A-Za-z0-9]{20,60}$',
        example: 'tk_0123456789abcdefghijklmnopqrs',
        sensitive: true,
      }),
    ),
  },
  check: [],
  accountAt: 'settings.base_url',
  // People subscribe to a topic at one server: a connection stays with it.
  accountIdOf: ({ settings }) => ntfyServerOf(settings),
} as const satisfies Vendor;
