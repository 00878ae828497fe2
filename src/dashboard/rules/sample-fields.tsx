// An alert that nobody sent, as somebody types it.
import { TextArea, TextField } from '../ui/field.tsx';
import { detailsOf, type Sample } from './trial.ts';
import { words } from './words.ts';

type SampleFieldsProps = { sample: Sample; onChange: (sample: Sample) => void };

export const SampleFields = ({ sample, onChange }: SampleFieldsProps) => (
  <>
    <TextField
      path=""
      label={words.sampleTitle}
      autoComplete="off"
      value={sample.title}
      onChange={(title) => onChange({ ...sample, title })}
    />
    <TextArea
      path=""
      label={words.sampleDetails}
      help={detailsOf(sample) === null ? words.badDetails : undefined}
      value={sample.details}
      onChange={(details) => onChange({ ...sample, details })}
    />
  </>
);
