// The vendors whose connections an organization can have. A new one is added here, and in the list of their
// declarations (src/resources/connections/vendors.ts).
import { discord } from './discord/index.ts';
import { msteams } from './msteams/index.ts';
import { ntfy } from './ntfy/index.ts';
import { callbackUrlOf } from './public-address.ts';
import { slack } from './slack/index.ts';
import { smtp } from './smtp/index.ts';
import { telegram } from './telegram/index.ts';
import { twilio } from './twilio/index.ts';
import type { Vendor, VendorWay } from './vendor.ts';
import { whatsAppCloud } from './whatsapp-cloud/index.ts';

export const vendors: readonly Vendor[] = [
  telegram,
  slack,
  msteams,
  discord,
  twilio,
  ntfy,
  whatsAppCloud,
  smtp,
];

type Addresses = {
  readonly vendorUrls: Readonly<Record<string, string>>;
  readonly publicUrl: string;
};

/** The operator may have set another address for it. */
export function wayTo(
  { declaration: { vendor }, baseUrl }: Pick<Vendor, 'declaration' | 'baseUrl'>,
  { vendorUrls, publicUrl }: Addresses,
  means: Pick<VendorWay, 'http' | 'outbound' | 'clock'>,
): VendorWay {
  const own = vendorUrls[vendor];
  const callbackUrl = callbackUrlOf(publicUrl, own !== undefined);
  return { ...means, baseUrl: own ?? baseUrl ?? '', callbackUrl };
}
