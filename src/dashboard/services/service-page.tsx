import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/use-may.ts';
import { NewRecordPage } from '../records/new-page.tsx';
import { displayNameOf } from '../records/record.ts';
import { RecordPage, type RecordViewProps } from '../records/record-page.tsx';
import { sameTeam } from '../shell/pages.ts';
import { buttonClass } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { services } from './kind.ts';
import { integrationsOfQuery, lastIncidentQuery, openOfServiceQuery } from './queries.ts';
import { words } from './words.ts';

export const ServicePage = () => <RecordPage kind={services} summary={Summary} />;
export const NewServicePage = () => <NewRecordPage kind={services} />;

const Summary = ({ record: { id, archived_at } }: RecordViewProps) => (
  <>
    <Section title={words.now}>
      <Incidents id={id} />
    </Section>
    <Section
      title={words.integrations}
      text={words.integrationsText}
      action={archived_at === undefined && <CreateIntegration service={id} />}
    >
      <Integrations id={id} />
    </Section>
  </>
);

function CreateIntegration({ service }: { service: string }) {
  if (useMay('manager') !== true) return null;
  return (
    <Link
      to="/integrations/new"
      search={(before) => ({ ...sameTeam(before), service })}
      className={buttonClass()}
    >
      {words.createIntegration}
    </Link>
  );
}

function Incidents({ id }: { id: string }) {
  const { data: open } = useQuery(openOfServiceQuery(id));
  const { data: last } = useQuery(lastIncidentQuery(id));
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-ink3">{words.openIncidents}</dt>
      <dd>
        {open === undefined ? (
          '…'
        ) : open.count === 0 ? (
          words.noneOpen
        ) : (
          <Link to="/incidents" search={{ service: id }} className="font-medium text-red underline">
            {open.isWhole ? words.open(open.count) : words.atLeast(open.count)}
          </Link>
        )}
      </dd>
      <dt className="text-ink3">{words.lastIncident}</dt>
      <dd className="min-w-0">
        {last === undefined ? (
          '…'
        ) : last === null ? (
          words.noIncident
        ) : (
          <Link
            to="/incidents/$number"
            params={{ number: String(last.number) }}
            className="inline-flex max-w-full items-center gap-2"
          >
            <StateShape state={last.status} />
            <span className="shrink-0 text-ink3">{words.number(last.number)}</span>
            <bdi className="min-w-0 truncate font-medium underline">{last.title}</bdi>
            <TimeAgo at={last.created_at} className="shrink-0 text-ink3" />
          </Link>
        )}
      </dd>
    </dl>
  );
}

function Integrations({ id }: { id: string }) {
  const { data } = useQuery(integrationsOfQuery(id));
  if (data?.length === 0) return <p className="text-ink2">{words.noIntegrations}</p>;
  return (
    <ul aria-label={words.integrations} className="empty:hidden">
      {data?.map((one) => (
        <li key={one.id} className="border-b border-line last:border-b-0">
          <Link
            to="/integrations/$id"
            params={{ id: one.id }}
            search={sameTeam}
            className="flex min-h-11 items-center gap-3 py-2"
          >
            <bdi className="min-w-0 truncate font-medium underline">{displayNameOf(one)}</bdi>
            <span className="text-sm text-ink3">{one.slug}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
