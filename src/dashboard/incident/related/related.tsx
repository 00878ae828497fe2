import { AlertDetails } from '../alert-details.tsx';
import type { Incident } from '../incident.ts';
import { RecentChanges } from './recent-changes.tsx';
import { SameKey } from './same-key.tsx';

type RelatedProps = { id: string; incident: Incident };

/** What else was sent with it, and what came before it or beside it. */
export const Related = ({ id, incident }: RelatedProps) => (
  <>
    <AlertDetails incident={incident} />
    <RecentChanges id={id} openedAt={incident.created_at} />
    <SameKey incident={incident} />
  </>
);
