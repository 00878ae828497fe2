import type { CodeNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { phraseOf, type Words } from './wording.ts';

/** No part that becomes a subject has the code: mail servers write subjects into logs. */
export function codeWords({ organization, proof, why, timezone }: CodeNotice): Words {
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
  };
}
