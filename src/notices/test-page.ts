import type { IncidentNotice } from './kinds/incident.ts';
import { phrasesOf } from './words/of-notice.ts';

type TestPage = Pick<IncidentNotice, 'organization' | 'why' | 'gotIt' | 'timezone' | 'language'> & {
  readonly recipient?: string;
  /** What it stands for in the place of a service. */
  readonly service: string;
  readonly url: string;
  readonly now: Temporal.Instant;
};

/** A page that says it is a test, of no incident. */
export function testPage({ service, url, now, ...notice }: TestPage): IncidentNotice {
  const { title, details } = phrasesOf(notice).test;
  return {
    about: 'incident',
    kind: 'page',
    key: `send-test/${now.epochMilliseconds}`,
    ...notice,
    incident: {
      id: '0'.repeat(24),
      number: 0,
      status: 'triggered',
      service,
      title,
      details,
      links: [],
      url,
      created_at: now,
    },
  };
}
