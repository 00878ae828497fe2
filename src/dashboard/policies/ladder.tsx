// The steps of a policy in its form: one below the other, with the waits between them.
import { useParams } from '@tanstack/react-router';
import { type ReactNode, use, useRef } from 'react';
import { type FieldProps, FormAround } from '../form/around.tsx';
import { type Draft, typedNumber } from '../form/draft.ts';
import { Group } from '../form/group.tsx';
import { MemberButtons, useKeys } from '../form/members.tsx';
import { pathOfMember, pathTo } from '../form/parts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { AddTarget } from './add-target.tsx';
import { isPageable, policyBody } from './policy-body.ts';
import { Rung } from './rung.tsx';
import { type DraftStep, movedStep, stepsIn, withoutStep, withStep, withWait } from './steps.ts';
import { TargetField } from './target-field.tsx';
import { startsOf } from './times.ts';
import { words } from './words.ts';
import { WouldPage } from './would-page.tsx';

export function Ladder({ path, value, onChange }: FieldProps) {
  const { draft, problems } = use(FormAround);
  const steps = stepsIn(value);
  const starts = startsOf(steps, draft['delay_minutes']);
  const group = useRef<HTMLDivElement>(null);
  const keys = useKeys(steps.length);
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <Group path={path} label={words.steps} help={words.stepsText}>
        <div ref={group} tabIndex={-1} className="flex flex-col gap-3 empty:hidden">
          {steps.map((step, index) => {
            const title = words.step(index + 1);
            const isLast = index === steps.length - 1;
            const set = (next: DraftStep) => onChange(steps.with(index, next));
            return (
              <StepField
                key={keys.of(index)}
                path={pathOfMember(path, index)}
                title={title}
                start={starts[index] ?? null}
                step={step}
                before={steps.slice(0, index + 1)}
                isLast={isLast}
                onChange={set}
                actions={
                  <MemberButtons
                    label={title}
                    index={index}
                    count={steps.length}
                    keys={keys}
                    isNeeded
                    onMove={(by) => onChange(movedStep(steps, index, by))}
                    onRemove={() => {
                      onChange(withoutStep(steps, index));
                      // The button goes, and the focus would be nowhere.
                      group.current?.focus();
                    }}
                  />
                }
              />
            );
          })}
        </div>
        <Button icon="plus" className="self-start" onClick={() => onChange(withStep(steps))}>
          {words.addStep}
        </Button>
      </Group>
      <WouldPage policy={usePolicyBody(draft)} isComplete={isPageable(problems)} />
    </div>
  );
}

/** As the API takes it; of a saved one, what it names may stay. */
function usePolicyBody(draft: Draft): Draft {
  const { teamId } = use(FormAround);
  const { id }: { id?: string } = useParams({ strict: false });
  return policyBody(draft, { id, team_id: teamId });
}

type StepFieldProps = {
  path: string;
  title: string;
  start: number | null;
  step: DraftStep;
  /** With those before it. */
  before: readonly DraftStep[];
  isLast: boolean;
  actions: ReactNode;
  onChange: (step: DraftStep) => void;
};

function StepField({
  path,
  title,
  start,
  step,
  before,
  isLast,
  actions,
  onChange,
}: StepFieldProps) {
  const { targets, escalate_after_minutes: wait } = step;
  const setTargets = (next: DraftStep['targets']) => onChange({ ...step, targets: next });
  const targetsPath = pathTo(path, 'targets');
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <fieldset
        name={path}
        tabIndex={-1}
        className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-3"
      >
        <legend className="sr-only">{title}</legend>
        <div className="flex items-center gap-1">
          <Rung title={title} start={start} />
          {actions}
        </div>
        <Group path={targetsPath} label={words.targets(title)} isHidden>
          <div ref={list} tabIndex={-1} className="flex flex-col gap-2">
            {targets.length === 0 && <p className="text-ink3">{words.noTargets}</p>}
            {targets.map((target, index) => (
              <TargetField
                key={index}
                path={pathOfMember(targetsPath, index)}
                target={target}
                step={title}
                number={index + 1}
                onChange={(next) => setTargets(targets.with(index, next))}
                onRemove={() => {
                  setTargets(targets.toSpliced(index, 1));
                  list.current?.focus();
                }}
              />
            ))}
          </div>
          <AddTarget
            path={`${targetsPath}[]`}
            before={before}
            onAdd={(target) => setTargets([...targets, target])}
          />
        </Group>
      </fieldset>
      {!isLast && (
        <div className="border-s-2 border-line ps-3 md:ms-4">
          <TextField
            path={pathTo(path, 'escalate_after_minutes')}
            label={words.wait}
            help={words.waitHelp}
            inputMode="numeric"
            autoComplete="off"
            value={wait === undefined ? '' : String(wait)}
            onChange={(typed) => onChange(withWait(step, typedNumber(typed)))}
          />
        </div>
      )}
    </>
  );
}
