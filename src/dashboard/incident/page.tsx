import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { incidentRole } from '../../resources/roles.ts';
import { visibleText } from '../../resources/visible-text.ts';
import { PagerError } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { Notice } from '../incidents/notice.tsx';
import { words as listWords } from '../incidents/words.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { useTitle } from '../shell/use-title.ts';
import { words as shellWords } from '../shell/words.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { ActionBar } from './action-bar.tsx';
import { IncidentHeader } from './header.tsx';
import type { Incident } from './incident.ts';
import { PartFailed } from './part-failed.tsx';
import { useIncident } from './queries.ts';
import { IncidentSkeleton } from './skeleton.tsx';
import { Timeline } from './timeline.tsx';
import { TopBar } from './top-bar.tsx';
import { words } from './words.ts';
import { YouCard } from './you-card.tsx';

const Alerts = lazyPart(() => import('./alerts/alerts.tsx'), 'Alerts');
const Related = lazyPart(() => import('./related/related.tsx'), 'Related');

export function IncidentPage() {
  const { number } = useParams({ from: '/incidents/$number' });
  const query = useIncident(number);
  useTitle(query.data ? titleOf(query.data) : words.back);
  // Shown without what was typed or opened on the page of another.
  if (query.data !== undefined)
    return <Shown key={number} id={number} incident={query.data} isStale={query.isRefetchError} />;
  const { error } = query;
  return (
    <>
      <TopBar />
      <h1 className="sr-only">{words.incident}</h1>
      {!(error instanceof PagerError) ? (
        <IncidentSkeleton />
      ) : isGone(error) ? (
        <Empty {...words.gone}>
          <Link to="/incidents" className={buttonClass()}>
            {words.toList}
          </Link>
        </Empty>
      ) : (
        <Trouble title={words.failed} failure={error.failure} retry={query.refetch} />
      )}
    </>
  );
}

const titleOf = ({ number, title }: Incident) => `${words.number(number)} ${visibleText(title)}`;

const isGone = ({ failure }: PagerError) => failure.type === 'refused' && failure.status === 404;

type ShownProps = { id: string; incident: Incident; isStale: boolean };

function Shown({ id, incident, isStale }: ShownProps) {
  const isActing = useMay(incidentRole) === true;
  const session = useQuery(sessionQuery);
  // The list stays once its alerts were split but for one: it shows where they are.
  const [isListing, setListing] = useState(false);
  if (!isListing && incident.alerts_total > 1) setListing(true);
  return (
    <div className={isActing ? 'pb-24 md:pb-0' : ''}>
      <TopBar number={incident.number}>
        {isActing && <ActionBar id={id} incident={incident} />}
        {session.data === undefined && session.isError && (
          <section aria-label={words.actions} className="bottom-bar action-bar">
            <PartFailed
              className="action-panel border-red"
              text={shellWords.noSession}
              query={session}
            />
          </section>
        )}
      </TopBar>
      {isStale && <Notice text={listWords.stale} />}
      <div className="incident-page">
        <IncidentHeader id={id} incident={incident} />
        {isListing && (
          <Suspense>
            <Alerts id={id} incident={incident} />
          </Suspense>
        )}
        <div className="incident-side">
          <YouCard id={id} />
          <div className="incident-details">
            <Suspense>
              <Related id={id} incident={incident} />
            </Suspense>
          </div>
        </div>
        <Timeline id={id} incident={incident} isActing={isActing} />
      </div>
    </div>
  );
}
