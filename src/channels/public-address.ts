import { isIP } from 'node:net';
import { createAddressPolicy } from './address-policy.ts';

const isRefused = createAddressPolicy([]);
const privateNames = /(?:^|\.)(?:localhost|local|internal|lan|home|test|invalid|example)$/i;

/** Whether vendors can call Pager at its public URL: by https, and not in a private network. */
export function isPublicAddress(publicUrl: string): boolean {
  const url = URL.parse(publicUrl);
  if (url?.protocol !== 'https:') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isRefused(host) === undefined;
  return host.includes('.') && !privateNames.test(host);
}

/**
 * Where a vendor is to call Pager; null: nowhere. One whose own address is the operator's may be
 * in any network, too, but `localhost`, which is what the public URL is until it is set, leads no
 * other machine to Pager.
 */
export const callbackUrlOf = (publicUrl: string, isVendorOfOperator: boolean): string | null =>
  (isVendorOfOperator && URL.parse(publicUrl)?.hostname !== 'localhost') ||
  isPublicAddress(publicUrl)
    ? publicUrl
    : null;
