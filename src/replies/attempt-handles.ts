// What a vendor repeats when it reports about an attempt, in the address that it calls.
import type { AttemptKey } from '../engine/ports/sending.ts';
import { type Digest, isProof, proofOf } from '../engine/proof.ts';
import type { Position } from './handles.ts';

/** No handle of one kind is one of another. */
type Kind = 'attempt' | 'read out';

/** A page as it is read out in a call, which is an attempt of it or of another page. */
export type ReadOut = {
  readonly call: AttemptKey;
  readonly key: string;
  /** Null: a server of an older release wrote the handle. */
  readonly at: Position | null;
};

/** `at`: absent where nothing escalates. */
export const attemptHandle = (
  { organization_id, key, attempt }: AttemptKey,
  digest: Digest,
  at?: Position,
): string =>
  signed(
    'attempt',
    [organization_id, key, attempt, ...(at ? [at.nextStep, at.cycle] : [])],
    digest,
  );

/** A call begins with the page that it is an attempt of. Null: it is not ours. */
export function readAttemptHandle(text: string, digest: Digest): ReadOut | null {
  const values = verified('attempt', text, digest);
  if (values === null) return null;
  const [organization_id, key, attempt, ...at] = values as [string, string, number, ...number[]];
  return { call: { organization_id, key, attempt }, key, at: positionIn(at) };
}

export const readOutHandle = (
  {
    call: { organization_id, key, attempt },
    key: readKey,
    at,
  }: ReadOut & { readonly at: Position },
  digest: Digest,
): string =>
  signed('read out', [organization_id, key, attempt, readKey, at.nextStep, at.cycle], digest);

/** Null: it is not ours. */
export function readReadOutHandle(text: string, digest: Digest): ReadOut | null {
  const values = verified('read out', text, digest);
  if (values === null) return null;
  const [organization_id, callKey, attempt, key, ...at] = values as Values;
  return { call: { organization_id, key: callKey, attempt }, key, at: positionIn(at) };
}

type Values = [string, string, number, string, ...number[]];

const positionIn = ([nextStep, cycle]: readonly number[]): Position | null =>
  nextStep === undefined || cycle === undefined ? null : { cycle, nextStep };

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
