// What a page by e-mail is recognized by: part of the addresses that its replies and its bounces are sent
// to. Servers change the case of addresses, and a local part has at most 64 characters.
import { createHash } from 'node:crypto';
import type { AttemptKey } from '../engine/ports/sending.ts';
import { type Digest, isProof } from '../engine/proof.ts';

export type MailHandle = {
  readonly incidentId: string;
  /** Distinguishes the attempts of the pages of one incident. */
  readonly mark: string;
};

const MARK_BYTES = 6;
const PROOF_BYTES = 13;

/** As `mailedPage` computes it of what is stored. */
export const markOf = ({ key, attempt }: Pick<AttemptKey, 'key' | 'attempt'>): string =>
  createHash('sha256').update(`${key} ${attempt}`).digest().subarray(0, MARK_BYTES).toString('hex');

export function mailHandle(
  { incidentId, ...attempt }: Pick<AttemptKey, 'key' | 'attempt'> & { readonly incidentId: string },
  digest: Digest,
): string {
  const payload = `${incidentId}${markOf(attempt)}`;
  return `${payload}${proof(payload, digest)}`;
}

const proof = (payload: string, digest: Digest): string =>
  digest(`mail ${payload}`).subarray(0, PROOF_BYTES).toString('hex');

/** Null: it is not ours. */
function readMailHandle(text: string, digest: Digest): MailHandle | null {
  const [, payload = '', incidentId = '', mark = '', sentProof = ''] =
    /^(([0-9a-f]{24})([0-9a-f]{12}))([0-9a-f]{26})$/.exec(text) ?? [];
  return isProof(sentProof, proof(payload, digest)) ? { incidentId, mark } : null;
}

export type MailPurpose = 'reply' | 'bounce';

const letters: Readonly<Record<MailPurpose, string>> = { reply: 'r', bounce: 'b' };

export const mailAddress = (purpose: MailPurpose, handle: string, domain: string): string =>
  `${letters[purpose]}+${handle}@${domain}`;

/** What comes before the domain of such an address, in lower case. */
export const mailAddressForm: RegExp = /^([rb])\+([0-9a-f]{62})$/;

export type AddressedMail = { readonly purpose: MailPurpose; readonly handle: MailHandle };

/** Null: it is not ours. */
export function readMailAddress(localPart: string, digest: Digest): AddressedMail | null {
  const [, letter, text = ''] = mailAddressForm.exec(localPart) ?? [];
  if (letter === undefined) return null;
  const handle = readMailHandle(text, digest);
  return handle && { purpose: letter === letters.reply ? 'reply' : 'bounce', handle };
}
