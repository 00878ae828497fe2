// The links by which people set a password. Only the digest of a link is stored.
import { accessLimits } from '../../limits/access.ts';
import type { LinkPurpose } from '../../storage/people/password-links.ts';
import type { Random } from '../random.ts';

const LINK_BYTES = 32;

type Digest = (text: string) => Uint8Array;

export const passwordLinkDigest = (digest: Digest, token: string) =>
  digest(`password link ${token}`);

/** The page of a link, and what is stored of it. */
export function newPasswordLink(
  parts: { readonly publicUrl: string; readonly digest: Digest; readonly random: Random },
  purpose: LinkPurpose,
  now: Temporal.Instant,
) {
  const token = Buffer.from(parts.random.bytes(LINK_BYTES)).toString('hex');
  const lasts =
    purpose === 'invitation'
      ? { hours: accessLimits.invitationDays * 24 }
      : { minutes: accessLimits.resetMinutes };
  return {
    href: `${parts.publicUrl}/set-password/${token}`,
    digest: passwordLinkDigest(parts.digest, token),
    expiresAt: now.add(lasts),
  };
}
