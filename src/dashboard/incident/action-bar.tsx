import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../client/answer.ts';
import { pagedBy } from '../incidents/next.ts';
import { Button } from '../ui/button.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { words as uiWords } from '../ui/words.ts';
import type { Incident, Possible } from './incident.ts';
import { usePossible } from './queries.ts';
import { type Acts, useActs } from './use-acts.ts';
import { words } from './words.ts';

type ActionBarProps = { id: string; incident: Incident };

/** Always in reach: at the bottom of a phone, on top of a desktop. */
export function ActionBar({ id, incident: { status } }: ActionBarProps) {
  const acts = useActs(id);
  const possible = usePossible(id, true).data;
  const [isArmed, setArmed] = useState(false);
  const escalate = possible?.get('escalate');
  const isOpen = status !== 'resolved';
  return (
    <section aria-label={words.actions} className="action-bar">
      <LastAct acts={acts} />
      {isArmed && isOpen && escalate && (
        <Confirm
          possible={escalate}
          onConfirm={() => {
            setArmed(false);
            void acts.act('escalate');
          }}
          onCancel={() => setArmed(false)}
        />
      )}
      <div className="action-buttons">
        {status === 'triggered' && (
          <ActButton action="acknowledge" kind="primary" acts={acts} onPress={acts.act} />
        )}
        {isOpen && (
          <ActButton
            action="resolve"
            kind={status === 'acknowledged' ? 'primary' : 'plain'}
            acts={acts}
            onPress={acts.act}
          />
        )}
        {isOpen && (
          <Button
            aria-expanded={isArmed}
            disabled={escalate === undefined || acts.pending !== null}
            onClick={() => setArmed(!isArmed)}
          >
            <span>
              {acts.pending === 'escalate' ? words.pending['escalate'] : words.escalate}
              {escalate && <span className="max-md:sr-only">{pagesNow(escalate)}</span>}
            </span>
          </Button>
        )}
      </div>
    </section>
  );
}

const pagesNow = (possible: Possible): string => {
  const names = pagedBy(possible).map(({ name }) => name);
  return names.length === 0 ? '' : words.pagesNow(names);
};

type ActButtonProps = {
  action: 'acknowledge' | 'resolve';
  kind: 'plain' | 'primary';
  acts: Acts;
  onPress: (action: string) => Promise<boolean>;
};

const ActButton = ({ action, kind, acts, onPress }: ActButtonProps) => (
  <Button
    kind={kind}
    aria-disabled={acts.pending !== null}
    className="act"
    onClick={() => void onPress(action)}
  >
    {acts.pending === action ? words.pending[action] : words[action]}
  </Button>
);

/** What the last action came to, as long as that is not done. */
function LastAct({ acts }: { acts: Acts }) {
  const { pending, isTriedAgain, failure } = acts;
  if (failure !== null)
    return (
      <div role="alert" className="action-panel border-red">
        <p className="text-pretty">{failureText(failure)}</p>
        <div className="flex gap-2">
          <Button icon="refresh-cw" onClick={acts.again}>
            {uiWords.retry}
          </Button>
          <Button onClick={acts.forget}>{words.close}</Button>
        </div>
      </div>
    );
  if (pending === null || !isTriedAgain) return null;
  return (
    <p role="alert" className="action-panel border-red font-medium">
      {words.again[pending] ?? words.againOther}
    </p>
  );
}

type ConfirmProps = { possible: Possible; onConfirm: () => void; onCancel: () => void };

/** The second press, beside what it will do as the API foresees it. */
function Confirm({ possible, onConfirm, onCancel }: ConfirmProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  return (
    <fieldset className="action-panel" onKeyDown={({ key }) => key === 'Escape' && onCancel()}>
      <legend className="sr-only">{words.escalate}</legend>
      <p className="text-pretty" id="escalate-what">
        {possible.text === '' ? words.pagesNobody : <Sentence text={possible.text} />}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button ref={confirm} kind="danger" aria-describedby="escalate-what" onClick={onConfirm}>
          {words.escalate}
          {pagesNow(possible)}
        </Button>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </fieldset>
  );
}
