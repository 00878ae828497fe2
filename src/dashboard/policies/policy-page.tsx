import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMay } from '../api/use-may.ts';
import type { Draft } from '../form/draft.ts';
import { channelsQuery } from '../me/queries.ts';
import { NewRecordPage } from '../records/new-page.tsx';
import { RecordPage, type RecordViewProps } from '../records/record-page.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { policies } from './kind.ts';
import { Ladder } from './ladder.tsx';
import { policyBodyOf } from './policy-body.ts';
import { ReadLadder } from './read-ladder.tsx';
import { Replacement } from './replacement.tsx';
import type { PolicySearch } from './search.ts';
import { scheduleStep, withSchedule } from './steps.ts';
import { useUsualChannel } from './use-usual-channel.ts';
import { words } from './words.ts';
import { WouldPage } from './would-page.tsx';

const own = { steps: Ladder };
const shownAbove = ['steps'];

export function PolicyPage() {
  const { schedule }: PolicySearch = useSearch({ strict: false });
  const query = useQuery(channelsQuery);
  if (schedule === undefined) return <Page />;
  return <Loaded query={query}>{() => <PageWithSchedule schedule={schedule} />}</Loaded>;
}

function PageWithSchedule({ schedule }: { schedule: string }) {
  const via = useUsualChannel([]);
  return (
    <Page
      begin={(draft) => ({ ...draft, steps: withSchedule(draft['steps'], { schedule, via }) })}
    />
  );
}

const Page = ({ begin }: { begin?: (draft: Draft) => Draft }) => (
  <RecordPage
    kind={policies}
    summary={Summary}
    shownAbove={shownAbove}
    own={own}
    beforeArchive={Replacement}
    {...(begin && { begin })}
  />
);

/** The channel of a first target depends on which are set up. */
export function NewPolicyPage() {
  const { schedule }: PolicySearch = useSearch({ strict: false });
  const query = useQuery(channelsQuery);
  if (schedule === undefined) return <New steps={[{ targets: [] }]} />;
  return <Loaded query={query}>{() => <NewForSchedule schedule={schedule} />}</Loaded>;
}

function NewForSchedule({ schedule }: { schedule: string }) {
  const via = useUsualChannel([]);
  return <New steps={[scheduleStep({ schedule, via })]} />;
}

const New = ({ steps }: { steps: readonly unknown[] }) => (
  <NewRecordPage kind={policies} own={own} begin={{ steps }} />
);

function Summary({ record }: RecordViewProps) {
  const maySimulate = useMay('manager') === true && record.archived_at === undefined;
  return (
    <Section title={words.steps} text={words.stepsText}>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <ReadLadder policy={record} />
        {maySimulate && <WouldPage policy={policyBodyOf(record)} isComplete />}
      </div>
    </Section>
  );
}
