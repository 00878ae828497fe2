import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { valueText } from '../form/labels.ts';
import type { RecordViewProps } from '../records/record-page.tsx';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Trouble } from '../ui/panel.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import type { Delivery, Try } from './deliveries.ts';
import { webhooks } from './kind.ts';
import { contentQuery, deliveriesKey, useDeliveries } from './queries.ts';
import { words } from './words.ts';

export function TestCall({ record: { id, archived_at } }: RecordViewProps) {
  const mayTest = useMay('manager');
  const testing = useWrite(deliveriesKey(id));
  if (!mayTest || archived_at !== undefined) return null;
  const test = () =>
    testing.send({ method: 'POST', path: `${webhooks.path}/${id}/test`, body: {} });
  return (
    <Section title={words.test} text={words.testText}>
      <WriteButton aria-disabled={testing.isPending} onClick={() => void test()}>
        {words.sendTest}
      </WriteButton>
      <FailedWrite failure={testing.failure} />
    </Section>
  );
}

/** Every call with its attempts, newest first. */
export function DeliveriesTab({ record }: RecordViewProps) {
  const query = useDeliveries(record.id);
  if (query.data === undefined) {
    const { error } = query;
    if (!(error instanceof PagerError)) return <Reading />;
    return <Trouble title={uiWords.notRead} failure={error.failure} retry={query.refetch} />;
  }
  const deliveries = query.data.pages.flatMap(({ data }) => data);
  const removed = query.data.pages.at(-1)?.removed_before;
  return (
    <>
      <TestCall record={record} />
      <div className="max-w-4xl px-4 py-4 md:px-5">
        {deliveries.length === 0 && <p className="text-ink2">{words.noDeliveries}</p>}
        <ol aria-label={words.deliveries} className="empty:hidden">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} record={record} delivery={delivery} />
          ))}
        </ol>
        {query.hasNextPage ? (
          <Button
            className="mt-3"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.more}
          </Button>
        ) : (
          removed !== undefined && <p className="mt-2 text-ink3">{words.removedBefore}</p>
        )}
      </div>
    </>
  );
}

const colours: Readonly<Record<string, string>> = {
  sent: 'text-green',
  failed: 'text-red',
  pending: 'text-amber',
};

type DeliveryRowProps = RecordViewProps & { delivery: Delivery };

function DeliveryRow({ record, delivery }: DeliveryRowProps) {
  const { id, event_type, state, tries, next_try_at, reason } = delivery;
  const mayRedeliver = useMay('manager') === true && record.archived_at === undefined;
  const redelivering = useWrite(deliveriesKey(record.id));
  const redeliver = () =>
    redelivering.send({
      method: 'POST',
      path: `${webhooks.path}/${record.id}/deliveries/${id}/redeliver`,
      body: {},
    });
  const event = valueText(event_type);
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={`font-medium ${colours[state] ?? 'text-ink2'}`}>
          {words.states[state] ?? state}
        </span>
        <span className="min-w-0">
          {event} <About delivery={delivery} />
        </span>
        {delivery.test && <Tag>{words.isTest}</Tag>}
        {delivery.redelivery_of !== undefined && <Tag>{words.redelivery}</Tag>}
        <TimeAgo at={delivery.created_at} className="ms-auto text-sm text-ink3" />
      </div>
      {reason !== undefined && (
        <p className="text-sm text-pretty wrap-anywhere text-ink2">
          <bdi>{reason}</bdi>
        </p>
      )}
      {next_try_at !== undefined && (
        <p className="text-sm text-ink2">
          {words.nextTry}: <Moment at={next_try_at} />
        </p>
      )}
      <div className="mt-1 flex flex-wrap items-start gap-3">
        <details className="min-w-0 flex-1">
          <summary className="cursor-pointer py-1 text-sm">{words.attempts(tries.length)}</summary>
          <ol className="mt-1 flex flex-col gap-2">
            {tries.map((one) => (
              <Attempt key={one.number} one={one} />
            ))}
          </ol>
          <Content id={record.id} deliveryId={id} />
        </details>
        {mayRedeliver && tries.length > 0 && (
          <WriteButton aria-disabled={redelivering.isPending} onClick={() => void redeliver()}>
            {words.redeliver}
          </WriteButton>
        )}
      </div>
      <FailedWrite failure={redelivering.failure} />
    </li>
  );
}

const Tag = ({ children }: { children: string }) => (
  <span className="rounded-sm bg-sunken px-1.5 text-sm text-ink2">{children}</span>
);

function About({ delivery: { incident, oncall_schedule } }: { delivery: Delivery }) {
  if (incident !== undefined)
    return (
      <Link
        to="/incidents/$number"
        params={{ number: String(incident.number) }}
        className="underline"
      >
        {words.number(incident.number)}
      </Link>
    );
  if (oncall_schedule === undefined) return null;
  return (
    <Link to="/on-calls/$id" params={{ id: oncall_schedule.id }} className="underline">
      <bdi>{oncall_schedule.name}</bdi>
    </Link>
  );
}

const Attempt = ({ one: { number, at, outcome, reason, status, answer } }: { one: Try }) => (
  <li className="text-sm">
    <p className="flex flex-wrap gap-x-3">
      <span className="font-medium">{words.attempt(number)}</span>
      <span>{outcome === undefined ? words.running : (words.outcomes[outcome] ?? outcome)}</span>
      {status !== undefined && <span>{words.http(status)}</span>}
      <TimeAgo at={at} className="text-ink3" />
    </p>
    {reason !== undefined && (
      <p className="wrap-anywhere text-ink2">
        <bdi>{reason}</bdi>
      </p>
    )}
    {answer !== undefined && answer !== '' && <Raw label={words.response} text={answer} />}
  </li>
);

const Raw = ({ label, text }: { label: string; text: string }) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    tabIndex={0}
    className="mt-1 max-h-64 overflow-auto rounded-md bg-sunken p-2"
  >
    <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">{text}</pre>
  </section>
);

function Content({ id, deliveryId }: { id: string; deliveryId: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...contentQuery(id, deliveryId), enabled: isOpen });
  if (!isOpen)
    return (
      <Button className="mt-2" onClick={() => setOpen(true)}>
        {words.showBody}
      </Button>
    );
  if (error instanceof PagerError) return <FailedWrite failure={error.failure} />;
  if (data === undefined) return null;
  if (data === null) return <p className="mt-2 text-sm text-ink2">{words.noBody}</p>;
  return <Raw label={words.body} text={data.body} />;
}
