// A share of the monthly alert limit is used. Sent to admins.
import { number, objectOf, text } from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { phraseOf, type Words } from '../words/wording.ts';

/** How much of its monthly limit an organization has used. */
export type AlertUsage = {
  readonly month: string;
  readonly limit: number;
  readonly percent: number;
};
type Content = {
  readonly about: 'usage';
  readonly kind: 'alert_usage';
  readonly usage: AlertUsage;
};
type UsageNotice = AnyNotice & Content;

export const usage: QueuedKind<Content, { readonly usage: AlertUsage }, Content> = {
  about: 'usage',
  stored: { usage: objectOf<AlertUsage>({ month: text, limit: number, percent: number }) },
  read: ({ notice }) =>
    notice.usage ? { about: 'usage', kind: 'alert_usage', usage: notice.usage } : null,
  compose: ({ about, kind, usage }) => ({ about, kind, usage }),
  words: usageWords,
  threadOf: ({ organization }) => `usage-${organization.id}`,
  sample: sampleUsageNotice,
};

function usageWords({ organization, usage, why }: UsageNotice): Words {
  const { month, limit, percent } = usage;
  const isReached = percent >= 100;
  const name = phraseOf(organization.name);
  return {
    tone: 'warning',
    lead: isReached
      ? 'The monthly alert limit has been reached'
      : `${percent}% of the monthly alert limit is used`,
    label: '',
    title: name,
    facts: [
      { name: 'Month', value: month },
      { name: 'Limit', value: `${limit} notifications` },
    ],
    details: isReached
      ? 'Until the month ends, people and chat channels are not notified about shifts. ' +
        'Incidents still page people unless this server is set to stop those pages too.'
      : 'Once it is reached, people and chat channels are not notified about shifts until the month ends.',
    actions: [],
    links: [],
    why: phraseOf(why),
    organization: name,
  };
}

export function sampleUsageNotice(percent = 80): UsageNotice {
  return {
    about: 'usage',
    kind: 'alert_usage',
    key: `usage/2026-11/1000/${percent}/email/65f0000000000000000000d1`,
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    why: 'you are an admin of the organization',
    usage: { month: '2026-11', limit: 1000, percent },
  };
}
