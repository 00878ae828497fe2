import { createHash } from 'node:crypto';
import type { ClaimedNotice } from './claimed.ts';

type Sent = Pick<ClaimedNotice, 'organization_id' | 'key' | 'recipient_key'>;

/** What no other notice has, and each attempt to send this one there. */
export const onceOf = ({ organization_id, key, recipient_key }: Sent): string =>
  createHash('sha256')
    .update(JSON.stringify([organization_id, key, recipient_key]))
    .digest('base64url')
    // As much as Discord takes.
    .slice(0, 24);
