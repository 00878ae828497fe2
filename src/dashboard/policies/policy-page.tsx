import { NewRecordPage } from '../records/new-page.tsx';
import { RecordPage, type RecordViewProps } from '../records/record-page.tsx';
import { Section } from '../ui/section.tsx';
import { policies } from './kind.ts';
import { Ladder } from './ladder.tsx';
import { ReadLadder } from './read-ladder.tsx';
import { words } from './words.ts';

const own = { steps: Ladder };
const shownAbove = ['steps'];

export const PolicyPage = () => (
  <RecordPage kind={policies} summary={Summary} shownAbove={shownAbove} own={own} />
);

export const NewPolicyPage = () => (
  <NewRecordPage kind={policies} own={own} begin={{ steps: [{ targets: [] }] }} />
);

const Summary = ({ record }: RecordViewProps) => (
  <Section title={words.steps} text={words.stepsText}>
    <ReadLadder policy={record} />
  </Section>
);
