// The links by which people set a password, or sign in. Only the digest of a link is stored.
import type { Random } from '../../../engine/random.ts';
import { accessLimits } from '../../../limits/access.ts';
import type { LinkPurpose } from '../../../storage/people/password-links.ts';

const LINK_BYTES = 32;

type Digest = (text: string) => Uint8Array;

export const passwordLinkDigest = (digest: Digest, token: string) =>
  digest(`password link ${token}`);

/** Another digest for the same text: no link does what it was not made for. */
export const signInLinkDigest = (digest: Digest, token: string) => digest(`sign-in link ${token}`);

type LinkParts = {
  readonly publicUrl: string;
  readonly digest: Digest;
  readonly random: Pick<Random, 'bytes'>;
};

/** The page of a link that signs in, and what is stored of it. */
export function newSignInLink(parts: LinkParts, now: Temporal.Instant) {
  const token = Buffer.from(parts.random.bytes(LINK_BYTES)).toString('hex');
  return {
    href: `${parts.publicUrl}/sign-in-link/${token}`,
    digest: signInLinkDigest(parts.digest, token),
    expiresAt: now.add({ minutes: accessLimits.signInLinkMinutes }),
  };
}

/** The page of a link, and what is stored of it. */
export function newPasswordLink(
  parts: LinkParts,
  purpose: Exclude<LinkPurpose, 'sign_in'>,
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
