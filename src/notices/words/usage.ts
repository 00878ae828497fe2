import type { UsageNotice } from '../notice.ts';
import { phraseOf, type Words } from './wording.ts';

export function usageWords({ organization, usage, why }: UsageNotice): Words {
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
