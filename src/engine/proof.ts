// Proofs that a handle or a link is ours: nobody can make one without the secret key.
import { timingSafeEqual } from 'node:crypto';

export type Digest = (text: string) => Buffer;

const proofBytes = 16;

/** `text` begins with a word of its own for each kind, so that no proof of one kind is one of another. */
export const proofOf = (text: string, digest: Digest): string =>
  digest(text).subarray(0, proofBytes).toString('base64url');

/** Takes as long whatever was sent. */
export function isProof(sent: string, right: string): boolean {
  const [got, wanted] = [Buffer.from(sent), Buffer.from(right)];
  return got.length === wanted.length && timingSafeEqual(got, wanted);
}
