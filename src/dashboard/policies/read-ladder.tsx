import { channelName } from '../ui/channel.ts';
import { Rung } from './rung.tsx';
import { targetName } from './sentence.ts';
import { type DraftTarget, stepsIn } from './steps.ts';
import { TargetMark } from './target-mark.tsx';
import { startsOf } from './times.ts';
import { useTargetNames } from './use-target-names.ts';
import { words } from './words.ts';

type ReadLadderProps = { policy: Readonly<Record<string, unknown>> };

/** The steps as they are read. */
export function ReadLadder({ policy }: ReadLadderProps) {
  const nameOf = useTargetNames();
  const steps = stepsIn(policy['steps']);
  const starts = startsOf(steps, policy['delay_minutes']);
  return (
    <ol aria-label={words.steps} className="flex flex-col gap-4">
      {steps.map(({ targets }, index) => (
        <li key={index}>
          <Rung title={words.step(index + 1)} start={starts[index] ?? null} />
          <ul aria-label={words.targets(words.step(index + 1))} className="mt-1 flex flex-col">
            {targets.map((target) => (
              <Chip
                key={JSON.stringify(target)}
                target={target}
                name={targetName(target, nameOf)}
              />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const Chip = ({ target, name }: { target: DraftTarget; name: string }) => (
  <li className="flex min-h-8 items-center gap-2">
    <TargetMark target={target} name={name} />
    <bdi className="min-w-0 truncate">{name}</bdi>
    <span className="shrink-0 text-ink3">{channelName(target.via ?? '')}</span>
  </li>
);
