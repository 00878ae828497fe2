// What an admin should know of each vendor before they connect an account.
import { vendors } from '../../resources/connections/vendors.ts';
import { choice, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { pageSchema } from '../answers.ts';
import { needsWholeOrganization, route } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { callbackWarningOf, type ServerAddress } from './inbound-mode.ts';
import { reasonNotServing } from './unused.ts';

const vendorShape = objectOf(
  {
    vendor: choice(
      vendors.map(({ vendor }) => vendor),
      { doc: 'The vendor, as connections name it.' },
    ),
    unused_reason: optional(
      text({
        doc: 'Why Pager would not use a connection of it now, such as a mail server while PAGER_SMTP_URL is set. Absent if it would be used.',
      }),
    ),
    callback_warning: optional(
      text({
        doc: 'What is missing because the vendor cannot call this server, and how to change that. Absent if nothing is missing.',
        max: 1_000,
      }),
    ),
  },
  'A vendor that connections can name, and what limits it on this server.',
);

type VendorParts = ServerAddress & { readonly hasMailServer: boolean };

export const vendorsRoute = (parts: VendorParts): Route =>
  route('GET /channel-connections/vendors', 'manager', {
    tag: 'channel_connections',
    doc: 'Lists the vendors of channel connections, and what limits each on this server.',
    answers: { status: 200, schema: pageSchema(vendorShape) },
    async handle(call) {
      needsWholeOrganization(call);
      const data = vendors.map(({ vendor, channels }) => {
        const unused = reasonNotServing(channels, parts.hasMailServer);
        const warning = callbackWarningOf(vendor, parts);
        return {
          vendor,
          ...(unused !== null && { unused_reason: unused }),
          ...(warning !== null && { callback_warning: warning }),
        };
      });
      return ok({ data, next_cursor: null });
    },
  });
