// The code that proves a contact. It is sent at once: the outbox would keep it.
import type { AnyNotice, NoticeKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { phraseOf, type Words } from '../words/wording.ts';

type Content = {
  readonly about: 'contact';
  readonly kind: 'contact_code';
  /** What the owner of a contact sends back to prove that it is theirs. */
  readonly proof: {
    readonly contact_id: string;
    readonly code: string;
    readonly expires_at: Temporal.Instant;
  };
};
export type CodeNotice = AnyNotice & Content;

type ContactCode = Pick<CodeNotice, 'organization' | 'recipient' | 'timezone' | 'proof'> & {
  readonly now: Temporal.Instant;
};

export const codeNotice = ({ now, ...contact }: ContactCode): CodeNotice => ({
  about: 'contact',
  kind: 'contact_code',
  key: `contact/${contact.proof.contact_id}/${now.epochMilliseconds}`,
  why: 'this address was added to your contacts',
  ...contact,
});

export const code: NoticeKind<Content> = {
  about: 'contact',
  words: codeWords,
  threadOf: ({ proof }) => `contact-${proof.contact_id}`,
  sample: sampleCodeNotice,
};

/** No part that becomes a subject has the code: mail servers write subjects into logs. */
function codeWords({ organization, proof, why, timezone }: CodeNotice): Words {
  const name = phraseOf(organization.name);
  return {
    tone: 'news',
    lead: 'Confirm that this address is yours',
    label: '',
    title: name,
    facts: [
      { name: 'Code', value: proof.code },
      { name: 'Valid until', value: timeOf(proof.expires_at, timezone) },
    ],
    details:
      'Enter the code where you requested it. ' +
      'If you did not request one, ignore this message. Without the code, nothing more is sent here.',
    actions: [],
    links: [],
    why: phraseOf(why),
    organization: name,
    code: proof.code,
  };
}

export function sampleCodeNotice(): CodeNotice {
  return {
    about: 'contact',
    kind: 'contact_code',
    key: 'contact/65f0000000000000000000f1/1795240800000',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'this address was added to your contacts',
    proof: {
      contact_id: '65f0000000000000000000f1',
      code: '042137',
      expires_at: Temporal.Instant.from('2026-11-21T08:15:00Z'),
    },
  };
}
