import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../client/answer.ts';
import { pagedBy } from '../incidents/next.ts';
import type { IncidentAction } from '../shell/keys.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { Slot } from '../shell/popup-slots.tsx';
import { useActionKeys } from '../shell/use-action-keys.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import {
  type DialogAction,
  dialogActions,
  type Incident,
  needsOpen,
  type PagingAction,
  type Possible,
} from './incident.ts';
import { PartFailed } from './part-failed.tsx';
import { usePossible } from './queries.ts';
import { type Acts, useActs } from './use-acts.ts';
import { words } from './words.ts';

const MoreMenu = lazyPart(() => import('./more-menu.tsx'), 'MoreMenu');

type ActionBarProps = { id: string; incident: Incident };

/** Always in reach: at the bottom of a phone, on top of a desktop. */
export function ActionBar({ id, incident }: ActionBarProps) {
  const { status } = incident;
  const acts = useActs(id);
  const query = usePossible(id);
  const possible = query.data;
  const { act } = useSearch({ from: '/incidents/$number' });
  const navigate = useNavigate({ from: '/incidents/$number' });
  // It was meant once: not for whoever reloads the page or has its address.
  useEffect(() => {
    if (act === undefined) return;
    void navigate({ search: ({ act: _, ...rest }) => rest, replace: true, resetScroll: false });
  }, [act, navigate]);
  const [armed, setArmed] = useState<PagingAction | null>(act === 'escalate' ? act : null);
  const [dialog, setDialog] = useState<DialogAction | null>(dialogOf(act));
  const toConfirm = armed && possible?.get(armed);
  const isOpen = status !== 'resolved';
  useActionKeys((action) => {
    if (action === 'note') document.querySelector<HTMLElement>('[data-note]')?.focus();
    else if (action === 'escalate') setArmed(action);
    else if (action === 'acknowledge' || action === 'resolve') {
      if (possible?.get(action)?.result === 'done') void acts.act(action);
    } else if (possible?.get('mute')?.result === 'done' || !needsOpen.includes(action))
      setDialog(action);
  });
  const bar = useRef<HTMLElement>(null);
  const disarm = () => {
    setArmed(null);
    // The button that had the focus goes away.
    bar.current?.focus();
  };
  const arming = { armed, arm: setArmed, possible, acts };
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label={words.actions}
      className="bottom-bar action-bar outline-none"
    >
      <LastAct acts={acts} toBar={() => bar.current?.focus()} />
      {toConfirm?.result === 'done' && (
        <Confirm
          key={armed}
          possible={toConfirm}
          onConfirm={() => {
            disarm();
            void acts.act(toConfirm.action);
          }}
          onCancel={disarm}
        />
      )}
      {acts.failure === null && (
        <PartFailed className={failedPanel} text={words.actionsFailed} query={query} />
      )}
      <div className="action-buttons">
        {status === 'triggered' && <ActButton action="acknowledge" kind="primary" acts={acts} />}
        {isOpen && (
          <ActButton
            action="resolve"
            kind={status === 'acknowledged' ? 'primary' : 'plain'}
            acts={acts}
          />
        )}
        {isOpen && <ArmButton action="escalate" {...arming} />}
        {possible?.get('reopen')?.result === 'done' && <ArmButton action="reopen" {...arming} />}
        {possible && (
          <Slot
            before={<IconButton icon="ellipsis" label={words.more} disabled className={more} />}
          >
            <MoreMenu
              id={id}
              incident={incident}
              possible={possible}
              dialog={dialog}
              setDialog={setDialog}
              className={more}
              arm={setArmed}
            />
          </Slot>
        )}
      </div>
    </section>
  );
}

const dialogOf = (act: IncidentAction | undefined): DialogAction | null =>
  dialogActions.find((one) => one === act) ?? null;

/** All in one row, also of a small phone. */
const inBar = 'max-lg:px-2 max-md:min-h-12 max-md:flex-auto max-md:px-1 max-[22rem]:text-base';
const more = 'max-md:min-h-12 border border-line';

type ArmButtonProps = {
  action: PagingAction;
  armed: PagingAction | null;
  arm: (action: PagingAction | null) => void;
  possible: ReadonlyMap<string, Possible> | undefined;
  acts: Acts;
};

/** The first press. */
function ArmButton({ action, armed, arm, possible, acts }: ArmButtonProps) {
  const one = possible?.get(action);
  const isArmed = armed === action;
  return (
    <WriteButton
      className={inBar}
      aria-expanded={isArmed}
      {...(one && acts.pending !== action && { 'aria-label': `${words[action]}${pagesNow(one)}` })}
      disabled={one === undefined || acts.pending !== null}
      onClick={() => arm(isArmed ? null : action)}
    >
      <span>
        {acts.pending === action ? words.pending[action] : words[action]}
        {one && <span className="max-lg:hidden">{pagesNow(one)}</span>}
      </span>
    </WriteButton>
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
};

const ActButton = ({ action, kind, acts }: ActButtonProps) => (
  <WriteButton
    kind={kind}
    className={inBar}
    aria-disabled={acts.pending !== null}
    onClick={() => void acts.act(action)}
  >
    {acts.pending === action ? words.pending[action] : words[action]}
  </WriteButton>
);

/** Above the buttons of a phone, below those of a desktop. */
const failedPanel = 'action-panel border-red';

/** What the last action came to, as long as that is not done. */
function LastAct({ acts, toBar }: { acts: Acts; toBar: () => void }) {
  const { pending, isTriedAgain, failure } = acts;
  // The button that has the focus goes away.
  const and = (then: () => void) => () => {
    toBar();
    then();
  };
  if (failure !== null)
    return (
      <div role="alert" className={failedPanel}>
        <p className="text-pretty">{failureText(failure)}</p>
        <div className="flex gap-2">
          <Button icon="refresh-cw" onClick={and(acts.again)}>
            {uiWords.retry}
          </Button>
          <Button onClick={and(acts.forget)}>{words.close}</Button>
        </div>
      </div>
    );
  if (pending === null || !isTriedAgain) return null;
  return (
    <p role="alert" className="action-panel border-red font-medium">
      {words.again[pending] ?? uiWords.triedAgain}
    </p>
  );
}

type ConfirmProps = { possible: Possible; onConfirm: () => void; onCancel: () => void };

/** The second press, beside what it will do as the API foresees it. */
function Confirm({ possible, onConfirm, onCancel }: ConfirmProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const action = possible.action as PagingAction;
  const pages = pagesNow(possible);
  return (
    <fieldset
      className="action-panel"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <legend className="sr-only">{words[action]}</legend>
      <p className="text-pretty" id="confirm-what">
        {possible.text === '' ? words.pagesNobody : <Sentence text={possible.text} />}
      </p>
      <div className="flex flex-wrap gap-2">
        <WriteButton
          ref={confirm}
          kind={pages === '' ? 'primary' : 'danger'}
          aria-describedby="confirm-what"
          onClick={onConfirm}
        >
          {words[action]}
          {pages}
        </WriteButton>
        <Button onClick={onCancel}>{words.cancel}</Button>
      </div>
    </fieldset>
  );
}
