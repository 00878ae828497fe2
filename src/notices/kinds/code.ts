// The code that proves a contact. It is sent at once: the outbox would keep it.
import type { AnyNotice, NoticeKind } from '../kind.ts';
import { phrasesOf, whyOf } from '../words/of-notice.ts';
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

type ContactCode = Pick<
  CodeNotice,
  'organization' | 'recipient' | 'timezone' | 'language' | 'proof'
> & {
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
  isTranslated: true,
  words: codeWords,
  threadOf: ({ proof }) => `contact-${proof.contact_id}`,
  sample: sampleCodeNotice,
};

/** No part that becomes a subject has the code: mail servers write subjects into logs. */
function codeWords(notice: CodeNotice): Words {
  const { organization, proof, timezone } = notice;
  const { code, fact } = phrasesOf(notice);
  const name = phraseOf(organization.name);
  return {
    tone: 'news',
    lead: code.lead,
    label: '',
    title: name,
    facts: [
      { name: fact.code, value: proof.code },
      { name: fact.validUntil, value: timeOf(proof.expires_at, timezone) },
    ],
    details: code.details,
    actions: [],
    links: [],
    why: whyOf(notice),
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
