import { useMay } from '../api/use-may.ts';
import { NewRecordPage } from '../records/new-page.tsx';
import { RecordPage, type RecordViewProps } from '../records/record-page.tsx';
import { Uses } from '../records/uses.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { healthOf } from './deliveries.ts';
import { DeliveriesTab, TestCall } from './deliveries-tab.tsx';
import { webhooks } from './kind.ts';
import { useDeliveries } from './queries.ts';
import { SecretsTab } from './secrets-tab.tsx';
import { words } from './words.ts';

const deliveriesTab = { tab: 'deliveries', text: words.deliveries, view: DeliveriesTab };
const secretsTab = { tab: 'secrets', text: words.secrets, view: SecretsTab };

export function WebhookPage() {
  const seesSecrets = useMay('manager') === true;
  return (
    <RecordPage
      kind={webhooks}
      summary={Summary}
      tabs={seesSecrets ? [deliveriesTab, secretsTab] : [deliveriesTab]}
    />
  );
}

/** The only method that sends the incident. */
const begin = { method: 'POST' };

export const NewWebhookPage = () => <NewRecordPage kind={webhooks} begin={begin} />;

const Summary = ({ record }: RecordViewProps) => (
  <>
    <Section title={words.triggers} text={words.about}>
      <Uses kind={webhooks} id={record.id} none={words.noTriggers} />
    </Section>
    <Section title={words.health}>
      <Health id={record.id} />
    </Section>
    <TestCall record={record} />
  </>
);

function Health({ id }: { id: string }) {
  const { data, hasNextPage } = useDeliveries(id);
  if (data === undefined) return <p className="text-ink3">…</p>;
  const health = healthOf(
    data.pages.flatMap((page) => page.data),
    hasNextPage,
  );
  if (health.type !== 'failing') return <p role="status">{words[health.type]}</p>;
  return (
    <p role="status" className="font-medium text-red">
      {health.isWhole ? words.failingSince : words.failingAtLeastSince}{' '}
      <TimeAgo at={health.since} isSpelledOut />
    </p>
  );
}
