import { type ReactNode, useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import type { Incident } from './incident.ts';
import { words } from './words.ts';

const isTouched = matchMedia('(pointer: coarse)').matches;

type SwipedRowProps = { incident: Incident; isOn: boolean; children: ReactNode };

/** A finger that moves the row aside uncovers a button. Only pressing that does something. */
export function SwipedRow({ incident, isOn, children }: SwipedRowProps) {
  if (!isTouched || !isOn) return children;
  return <Swiped incident={incident}>{children}</Swiped>;
}

function Swiped({ incident: { id, number }, children }: Omit<SwipedRowProps, 'isOn'>) {
  const { send, isPending, isTriedAgain, failure } = useWrite(['incidents']);
  const [refused, setRefused] = useState<string | null>(null);
  async function acknowledge(): Promise<void> {
    setRefused(null);
    const answer = await send({
      method: 'POST',
      path: '/incidents/acknowledge',
      body: { ids: [id] },
      name: words.acknowledge,
    });
    // As docs/openapi.json has it.
    const [result] = (answer?.['results'] ?? []) as readonly { result: string; reason?: string }[];
    if (result !== undefined && result.result !== 'done') setRefused(result.reason ?? words.isGone);
  }
  return (
    <>
      <div className="incident-swiped">
        {children}
        <WriteButton
          kind="primary"
          className="incident-uncovered"
          aria-label={words.acknowledgeOne(number)}
          aria-disabled={isPending}
          onClick={() => void acknowledge()}
        >
          {words.acknowledge}
        </WriteButton>
      </div>
      <div role="status" className="px-4 pb-2 empty:hidden">
        {isTriedAgain && uiWords.triedAgain}
        {refused !== null && <Sentence text={refused} />}
        <FailedWrite failure={failure} />
      </div>
    </>
  );
}
