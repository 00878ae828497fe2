import type { Incident } from '../incident.ts';
import { RecentChanges } from './recent-changes.tsx';
import { SameKey } from './same-key.tsx';

type RelatedProps = { id: string; incident: Incident };

/** What came before it or beside it. */
export const Related = ({ id, incident }: RelatedProps) => (
  <>
    <RecentChanges id={id} openedAt={incident.created_at} />
    <SameKey incident={incident} />
  </>
);
