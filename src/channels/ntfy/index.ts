import { ntfy as declaration, ntfyUrl } from '../../resources/connections/ntfy.ts';
import type { Vendor } from '../vendor.ts';
import { checkNtfy, publishToNtfy } from './publish.ts';

export const ntfy: Vendor = {
  declaration,
  baseUrl: ntfyUrl,
  check: checkNtfy,
  send: { 'push-notification': (parts) => (publishing) => publishToNtfy(parts, publishing) },
};
