import { use } from 'react';
import { type FieldProps, FormAround } from '../form/around.tsx';
import { NewRecordPage } from '../records/new-page.tsx';
import { RecordPage } from '../records/record-page.tsx';
import { playbooks } from './kind.ts';
import { words } from './words.ts';

const own = { condition_groups: Conditions };

export const PlaybookPage = () => <RecordPage kind={playbooks} own={own} />;
export const NewPlaybookPage = () => <NewRecordPage kind={playbooks} own={own} />;

/** Only of a playbook that runs by itself; those that are there already stay to be removed. */
function Conditions(props: FieldProps) {
  const { draft, declared: Declared } = use(FormAround);
  const occasions = draft['run_automatically'];
  const hasOccasion = Array.isArray(occasions) && occasions.length > 0;
  if (hasOccasion || props.value !== undefined) return <Declared {...props} />;
  return (
    <div>
      <p className="font-medium">{props.field.label}</p>
      <p className="text-sm text-pretty text-ink3">{words.needsOccasion}</p>
    </div>
  );
}
