import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { IncidentLinks } from './incident-links.tsx';
import { type Event, endedNothing, isTest, outcomeText, shownBody } from './integration.ts';
import { useEvents } from './queries.ts';
import { simulationBody } from './simulation.ts';
import { words as all } from './words.ts';

const words = all.events;

const SimulateEvent = lazyPart(() => import('./simulate-event.tsx'), 'SimulateEvent');
const SimulateSample = lazyPart(() => import('./simulate-sample.tsx'), 'SimulateSample');

/** What was sent to the integration, newest first, and what became of it. */
export function EventsTab({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useEvents(id);
  if (data === undefined)
    return error instanceof PagerError ? (
      <Trouble title={words.failed} failure={error.failure} retry={() => void refetch()} />
    ) : (
      <Reading />
    );
  const events = data.pages.flatMap((page) => page.data);
  if (events.length === 0)
    return (
      <>
        <Empty {...words.empty} />
        <div className="px-4 md:px-5">
          <TrySample id={id} />
        </div>
      </>
    );
  const isRemoved = data.pages.at(-1)?.removed_before !== undefined;
  return (
    <section aria-label={words.title} className="max-w-4xl px-4 py-2 md:px-5">
      <TrySample id={id} />
      <ol>
        {events.map((event) => (
          <Row key={event.id} id={id} event={event} />
        ))}
      </ol>
      {isRemoved && !hasNextPage && <p className="mt-3 text-ink2">{words.removed}</p>}
      {hasNextPage && (
        <Button className="mt-3" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.earlier}
        </Button>
      )}
    </section>
  );
}

/** What an alert would do that nobody has sent yet. */
function TrySample({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const isAllowed = useMay('manager') === true;
  if (!isAllowed) return null;
  return (
    <>
      <Button className="my-2" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.hideSimulation : words.trySample}
      </Button>
      {isOpen && (
        <Suspense fallback={<Reading />}>
          <SimulateSample id={id} />
        </Suspense>
      )}
    </>
  );
}

function Row({ id, event }: { id: string; event: Event }) {
  const { received_at, source, outcome, reason, alerts = [], requests = 1 } = event;
  const isBad = outcome === 'unreadable' || outcome === 'dropped';
  const [first] = alerts;
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line py-3 first:border-t-0 md:grid-cols-[11rem_minmax(0,1fr)]">
      <p className="text-sm text-ink2 md:text-base">
        <Moment at={received_at} to="second" /> {isTest(event) ? words.test : words[source]}
      </p>
      <div className="min-w-0">
        <p className={isBad ? 'font-medium text-red' : 'font-medium'}>{outcomeText(event)}</p>
        {first && (
          <p className="wrap-anywhere text-ink2">
            {alerts.length === 1 ? <bdi>{first.dedup_key}</bdi> : words.alerts(alerts.length)}
          </p>
        )}
        {reason !== undefined && <p className="text-pretty wrap-anywhere">{reason}</p>}
        {requests > 1 && <p className="text-ink2">{words.requests(requests)}</p>}
        <IncidentLinks event={event} />
        {endedNothing(event) && <WasAnAlert id={id} event={event} />}
        <Body event={event} />
        <Trials id={id} event={event} />
      </div>
    </li>
  );
}

/** What it would do now, and the way to a rule for alerts like it. */
function Trials({ id, event }: { id: string; event: Event }) {
  const [isOpen, setOpen] = useState(false);
  const isAllowed = useMay('manager') === true;
  if (!isAllowed || simulationBody(id, event) === null) return null;
  return (
    <>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideSimulation : words.simulate}
        </Button>
        <Link
          to="/alert-rules/new"
          search={({ team }) => ({ ...(team && { team }), event: event.id, integration: id })}
          className={buttonClass()}
        >
          {words.makeRule}
        </Link>
      </div>
      {isOpen && (
        <Suspense fallback={<Reading />}>
          <SimulateEvent id={id} event={event} />
        </Suspense>
      )}
    </>
  );
}

/** Opens what it was about: the event was read as an end. */
function WasAnAlert({ id, event }: { id: string; event: Event }) {
  const { send, isPending, failure } = useWrite(['integrations', id], ['incidents'], ['attention']);
  const path = `/integrations/${id}/events/${event.id}/was-an-alert`;
  return (
    <div className="my-1 flex flex-col items-start gap-1">
      <WriteButton
        aria-disabled={isPending}
        onClick={() => !isPending && void send({ method: 'POST', path, name: words.wasAnAlert })}
      >
        {isPending ? words.opening : words.wasAnAlert}
      </WriteButton>
      <FailedWrite failure={failure} />
    </div>
  );
}

/** Hostile until shown otherwise, so text and nothing else. */
export function Body({ event }: { event: Event }) {
  const body = shownBody(event);
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-sm text-ink2 hover:text-ink pointer-coarse:py-2.5">
        {words.body}
      </summary>
      {body === null ? (
        <p className="text-ink2">{words.noText}</p>
      ) : (
        <pre className="rounded-md bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {body.text}
        </pre>
      )}
      {body?.isCut && <p className="text-sm text-ink2">{words.cut}</p>}
      {event.body_cut_from !== undefined && (
        <p className="text-sm text-ink2">{words.storedInPart(event.body_cut_from)}</p>
      )}
    </details>
  );
}
