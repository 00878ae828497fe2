// The hours of every week in which nobody is meant to be on call: proposed from gaps, and edited.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { words as uiWords } from '../ui/words.ts';
import { HoursField } from './hours-field.tsx';
import { hoursText } from './hours-text.ts';
import { type Schedule, timelineQuery, type Window } from './queries.ts';
import { comparedFrom, recurringGaps } from './recurring-gaps.ts';
import { byDesignWords as words } from './words.ts';

type ByDesignProps = { schedule: Schedule; hasGaps: boolean };

export function ByDesign({ schedule, hasGaps }: ByDesignProps) {
  const mayEdit = useMay('manager') === true;
  const declared = schedule.uncovered_by_design ?? [];
  const proposed = useProposed(schedule, mayEdit && hasGaps);
  const [begun, setBegun] = useState<readonly Window[] | null>(null);
  return (
    <>
      {declared.length > 0 && (
        <Line
          text={words.declared(hoursText(declared))}
          {...(mayEdit && { action: words.edit, act: () => setBegun(declared) })}
        />
      )}
      {proposed.length > 0 && (
        <Line
          text={words.proposed(hoursText(proposed))}
          action={words.mark}
          act={() => setBegun([...declared, ...proposed])}
        />
      )}
      {begun && <HoursDialog schedule={schedule} begun={begun} onClose={() => setBegun(null)} />}
    </>
  );
}

const noWindows: readonly Window[] = [];

/** What recurs every week, and is not declared. */
function useProposed({ id, timezone }: Schedule, isEnabled: boolean): readonly Window[] {
  const [start] = useState(() => Date.now());
  const { data } = useQuery({
    ...timelineQuery(id, comparedFrom(start)),
    enabled: isEnabled,
    refetchInterval: false,
  });
  if (!isEnabled || data === undefined) return noWindows;
  const gaps = data.gaps.filter(({ by_design }) => !by_design);
  return gaps.length < data.gap_count ? noWindows : recurringGaps(gaps, { start, zone: timezone });
}

type LineProps = { text: string; action?: string; act?: () => void };

const Line = ({ text, action, act }: LineProps) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line px-3 py-2">
    <p className="min-w-0 flex-1 basis-48 text-pretty text-ink2">{text}</p>
    {action && <Button onClick={act}>{action}</Button>}
  </div>
);

type Draft = { readonly windows: readonly Window[] | null };
const draftOf = ({ uncovered_by_design: windows }: Schedule): Draft => ({
  windows: windows ?? null,
});

const parts = [
  {
    name: 'windows',
    label: words.title,
    text: ({ windows }: Draft) => (windows === null ? words.none : hoursText(windows)),
  },
] as const;

type HoursDialogProps = { schedule: Schedule; begun: readonly Window[]; onClose: () => void };

function HoursDialog({ schedule, begun, onClose }: HoursDialogProps) {
  const write = useWrite(['on-calls']);
  const begin = () => ({ windows: begun });
  const edit = useEdit({ record: schedule, draftOf, begin, writing: write });
  const { draft, setDraft, version, isTouched } = edit;
  const { windows } = draft;
  const save = async () => {
    const body = { uncovered_by_design: windows };
    const path = `/on-calls/${schedule.id}`;
    const sent = { method: 'PATCH', path, body, version, name: words.title } as const;
    if ((await write.send(sent)) !== null) onClose();
  };
  return (
    <Dialog isOpen title={words.title} text={words.text} onClose={onClose}>
      <Form
        save={uiWords.save}
        isTouched={isTouched}
        isPending={write.isPending}
        failure={write.failure}
        onSave={() => void save()}
        onCancel={onClose}
      >
        <HoursField
          path="uncovered_by_design"
          windows={windows}
          change={(next) => setDraft({ windows: next })}
        />
        {windows === null && <p className="text-ink2">{words.noHours}</p>}
        {schedule.managed_by && <p className="text-sm text-ink3">{words.managed}</p>}
        <Conflict edit={edit} parts={parts} />
      </Form>
    </Dialog>
  );
}
