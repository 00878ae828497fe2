// The button of a test page, "I got it".
import { type Digest, isProof, proofOf } from '../engine/proof.ts';
import { english } from '../notices/words/en.ts';

/** The contact that the test page was sent to. */
export type TestedContact = { readonly organizationId: string; readonly id: string };

export const gotItHandle = ({ organizationId, id }: TestedContact, digest: Digest): string =>
  `t${id}.${gotItProof(handlePayload(organizationId, id), digest)}`;

const handlePayload = (organizationId: string, id: string) => `button ${organizationId} ${id}`;

export const gotItProof = (payload: string, digest: Digest) => proofOf(`got-it ${payload}`, digest);

/** Null: it is not ours, or another organization's. */
export function readGotIt(
  organizationId: string,
  handle: string,
  digest: Digest,
): TestedContact | null {
  const [, id = '', sent = ''] = /^t([0-9a-f]{24})\.([\w-]{22})$/.exec(handle) ?? [];
  const payload = handlePayload(organizationId, id);
  return sent !== '' && isProof(sent, gotItProof(payload, digest)) ? { organizationId, id } : null;
}

/** On the page of the link, which is in English. */
export const { gotIt: gotItText, gotItTooLate } = english.answer;
