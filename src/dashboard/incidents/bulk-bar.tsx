import { useState } from 'react';
import { queryLimits } from '../../limits/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { useActionKeys } from '../shell/use-action-keys.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { BulkEscalate } from './bulk-escalate.tsx';
import { BulkMerge } from './bulk-merge.tsx';
import { bulkWords } from './bulk-words.ts';
import type { Incident } from './incident.ts';
import { muteText } from './mute-text.ts';
import { type Mute, mutesFrom } from './mutes.ts';
import type { Selection } from './selection.ts';
import { words } from './words.ts';

type Result = {
  readonly id: string;
  readonly result: 'done' | 'refused' | 'not_found';
  readonly reason?: string;
};
type BulkAction = 'acknowledge' | 'resolve' | 'mute' | 'escalate' | 'merge';
/** What opens in the bar, to be chosen or confirmed before it is done. */
type Panel = 'mute' | 'escalate' | 'merge';

type BulkBarProps = {
  selection: Selection;
  /** Those of the list that could be selected. */
  all: readonly Incident[];
};

/** What is done to all that are selected, and what it came to for each. */
export function BulkBar({ selection, all }: BulkBarProps) {
  const { ids, clear } = selection;
  const { send, isPending, isTriedAgain, failure, forget } = useWrite(['incidents']);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [panel, setPanel] = useState<Panel | null>(null);

  async function act(action: BulkAction, fields: object = {}): Promise<void> {
    if (isPending) return;
    setPanel(null);
    setResults([]);
    const body = { ids: [...ids], ...fields };
    const name = { ...words, ...bulkWords }[action];
    const answer = await send({ method: 'POST', path: `/incidents/${action}`, body, name });
    if (answer === null) return;
    // What this version of the API answers, as docs/openapi.json has it.
    setResults(answer['results'] as readonly Result[]);
    clear();
  }
  useActionKeys((action) => {
    if (ids.size === 0) return;
    if (action === 'mute' || action === 'escalate') setPanel(action);
    else if (action === 'acknowledge' || action === 'resolve') void act(action);
  });
  const count = ids.size;
  const atOnce = all.slice(0, queryLimits.incidentsAtOnce).map(({ id }) => id);
  const selected = all.filter(({ id }) => ids.has(id));
  const merge = (into: Incident, others: readonly Incident[]) =>
    void act('merge', { ids: others.map(({ id }) => id), into_id: into.id });
  if (!selection.isOn && results.length === 0 && failure === null) return null;
  const close = (
    <IconButton
      icon="x"
      label={bulkWords.close}
      className="ms-auto md:order-last"
      onClick={() => {
        clear();
        forget();
        setResults([]);
      }}
    />
  );
  return (
    <section aria-label={bulkWords.selected} className="bottom-bar bulk-bar">
      {isTriedAgain && <p role="status">{uiWords.triedAgain}</p>}
      {(failure || count === 0) && (
        <div className="flex items-start gap-2 empty:hidden">
          <FailedWrite failure={failure} />
          {results.length > 0 && <Results results={results} />}
          {!selection.isOn && close}
        </div>
      )}
      {panel === 'merge' && count > 1 && <BulkMerge selected={selected} onMerge={merge} />}
      {panel === 'escalate' && count > 0 && (
        <BulkEscalate selected={selected} onEscalate={() => void act('escalate')} />
      )}
      {panel === 'mute' && count > 0 && (
        <div className="flex flex-wrap gap-2">
          {mutesFrom(new Date()).map((mute) => (
            <WriteButton key={muteText(mute)} onClick={() => void act('mute', bodyOf(mute))}>
              {muteText(mute)}
            </WriteButton>
          ))}
        </div>
      )}
      {selection.isOn && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{bulkWords.selectedCount(count)}</span>
          {atOnce.some((id) => !ids.has(id)) && (
            <button
              type="button"
              onClick={() => selection.add(atOnce)}
              className="px-1 text-ink2 underline hover:text-ink pointer-coarse:min-h-11"
            >
              {bulkWords.selectAll(atOnce.length)}
            </button>
          )}
          {close}
          <div className="flex flex-wrap gap-2 max-md:w-full">
            <WriteButton
              kind="primary"
              className={inBar}
              disabled={count === 0}
              aria-disabled={isPending}
              onClick={() => void act('acknowledge')}
            >
              {words.acknowledge}
            </WriteButton>
            <WriteButton
              className={inBar}
              disabled={count === 0}
              aria-disabled={isPending}
              onClick={() => void act('resolve')}
            >
              {words.resolve}
            </WriteButton>
            {(['mute', 'escalate', 'merge'] as const).map((action) => (
              <Button
                key={action}
                className={inBar}
                disabled={count < (action === 'merge' ? 2 : 1)}
                aria-expanded={panel === action}
                onClick={() => setPanel(panel === action ? null : action)}
              >
                {bulkWords[action]}
              </Button>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

const inBar = 'max-md:flex-auto max-md:px-2';

const bodyOf = ({ until }: Mute) => (until === null ? {} : { until: until.toISOString() });

/** With the button that was pressed the focus is gone. */
function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

function Results({ results }: { results: readonly Result[] }) {
  const others = results.filter(({ result }) => result !== 'done');
  return (
    <div ref={focusIfLost} tabIndex={-1} role="status" className="min-w-0 flex-1 outline-none">
      <p className="font-medium">
        {bulkWords.results(results.length - others.length, others.length)}
      </p>
      {others.length > 0 && (
        <ul className="max-h-40 overflow-y-auto text-ink2">
          {others.map(({ id, reason }) => (
            <li key={id}>
              <Sentence text={reason ?? words.isGone} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
