// What a vendor repeats when it reports about an attempt, in the address that it calls.
import type { AttemptKey } from '../../engine/ledger.ts';
import { type Digest, isProof, proofOf } from '../proof.ts';

/** No handle of one kind is one of another. */
type Kind = 'attempt' | 'read out';

export const attemptHandle = (
  { organization_id, key, attempt }: AttemptKey,
  digest: Digest,
): string => signed('attempt', [organization_id, key, attempt], digest);

/** Null: it is not ours. */
export function readAttemptHandle(text: string, digest: Digest): AttemptKey | null {
  const values = verified('attempt', text, digest);
  if (values === null) return null;
  const [organization_id, key, attempt] = values as [string, string, number];
  return { organization_id, key, attempt };
}

/** A page that is read out in the call that is an attempt of another, or of its own. */
export type ReadOut = {
  readonly call: AttemptKey;
  readonly key: string;
  /** The step that its incident would escalate to then; absent: that after the step of the page. */
  readonly nextStep?: number;
};

export const readOutHandle = (
  { call: { organization_id, key, attempt }, key: readKey, nextStep }: Required<ReadOut>,
  digest: Digest,
): string => signed('read out', [organization_id, key, attempt, readKey, nextStep], digest);

/** Null: it is not ours. */
export function readReadOutHandle(text: string, digest: Digest): ReadOut | null {
  const values = verified('read out', text, digest);
  if (values === null) return null;
  const [organization_id, callKey, attempt, key, nextStep] = values as Values;
  return { call: { organization_id, key: callKey, attempt }, key, nextStep };
}

type Values = [string, string, number, string, number];

/** Letters, digits, `-`, `_` and one `.`. */
function signed(kind: Kind, values: readonly (string | number)[], digest: Digest): string {
  const payload = Buffer.from(JSON.stringify(values)).toString('base64url');
  return `${payload}.${proof(kind, payload, digest)}`;
}

const proof = (kind: Kind, payload: string, digest: Digest) =>
  proofOf(`${kind} ${payload}`, digest);

function verified(kind: Kind, text: string, digest: Digest): unknown {
  const [payload = '', sentProof = '', ...more] = text.split('.');
  if (more.length > 0 || !isProof(sentProof, proof(kind, payload, digest))) return null;
  // Only what this program wrote has the right proof, so its form is known.
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}
