// What a vendor repeats when it reports about an attempt, in the address that it calls.
import { timingSafeEqual } from 'node:crypto';
import type { AttemptKey } from '../../engine/ledger.ts';

type Digest = (text: string) => Buffer;

const proofBytes = 16;

/** Letters, digits, `-`, `_` and one `.`. */
export function attemptHandle(
  { organization_id, key, attempt }: AttemptKey,
  digest: Digest,
): string {
  const payload = Buffer.from(JSON.stringify([organization_id, key, attempt])).toString(
    'base64url',
  );
  return `${payload}.${proof(payload, digest)}`;
}

const proof = (payload: string, digest: Digest) =>
  digest(`attempt ${payload}`).subarray(0, proofBytes).toString('base64url');

/** Null: it is not ours. */
export function readAttemptHandle(text: string, digest: Digest): AttemptKey | null {
  const [payload = '', sentProof = '', ...more] = text.split('.');
  const right = Buffer.from(proof(payload, digest));
  const got = Buffer.from(sentProof);
  if (more.length > 0 || right.length !== got.length || !timingSafeEqual(right, got)) return null;
  // Only what this program wrote has the right proof, so its form is known.
  const [organization_id, key, attempt] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [string, string, number];
  return { organization_id, key, attempt };
}
