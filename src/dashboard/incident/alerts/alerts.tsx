// The alerts of an incident that has several, active ones first. Some can be split off.
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { incidentRole } from '../../../resources/roles.ts';
import { PagerError } from '../../api/pager.ts';
import { useMay } from '../../api/use-may.ts';
import { lazyPart } from '../../shell/lazy-part.ts';
import { Button } from '../../ui/button.tsx';
import { Reading } from '../../ui/loaded.tsx';
import { Trouble } from '../../ui/panel.tsx';
import { WriteButton } from '../../ui/write-button.tsx';
import { Card } from '../card.tsx';
import type { Incident } from '../incident.ts';
import { words as pageWords } from '../words.ts';
import { type Alert, alertsIn } from './alerts.ts';
import { useAlerts } from './queries.ts';
import { AlertRow } from './row.tsx';
import { words } from './words.ts';

const SplitDialog = lazyPart(() => import('./split-dialog.tsx'), 'SplitDialog');

type AlertsProps = { id: string; incident: Incident };

export function Alerts({ id, incident }: AlertsProps) {
  const { alerts_firing, alerts_total, status } = incident;
  const query = useAlerts(id);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [toSplit, setToSplit] = useState<readonly Alert[] | null>(null);
  const [moved, setMoved] = useState<{ count: number; number: number } | null>(null);
  const alerts = query.data === undefined ? [] : alertsIn(query.data.pages);
  const mayAct = useMay(incidentRole) === true && status !== 'resolved';
  const selected = mayAct ? alerts.filter((one) => ids.has(one.id)) : [];
  const select = ({ id: own }: Alert, isSelected: boolean) => {
    setMoved(null);
    setIds(isSelected ? new Set([...ids, own]) : ids.difference(new Set([own])));
  };
  return (
    <div className="incident-alerts min-w-0">
      <Card
        title={words.title(alerts_firing, alerts_total)}
        aside={
          mayAct &&
          alerts.length > 1 && (
            <WriteButton
              disabled={selected.length === 0}
              title={words.splitHint}
              onClick={() => setToSplit(selected)}
            >
              {selected.length === 0 ? words.split : words.splitSome(selected.length)}
            </WriteButton>
          )
        }
      >
        <p role="status" className="mb-1.5 empty:hidden">
          {moved && (
            <>
              {words.splitDone(moved.count)}{' '}
              <Link
                to="/incidents/$number"
                params={{ number: `${moved.number}` }}
                ref={focus}
                className="font-medium underline"
              >
                {pageWords.number(moved.number)}
              </Link>
            </>
          )}
        </p>
        <List
          query={query}
          alerts={alerts}
          incident={incident}
          ids={ids}
          select={mayAct && alerts.length > 1 ? select : undefined}
        />
      </Card>
      <Suspense>
        {toSplit && (
          <SplitDialog
            id={id}
            incident={incident}
            alerts={toSplit}
            onMoved={(number) => {
              setMoved({ count: toSplit.length, number });
              setIds(new Set());
              setToSplit(null);
            }}
            onClose={() => setToSplit(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The button that had the focus may be gone: nothing is left to split. */
const focus = (link: HTMLAnchorElement | null) => link?.focus();

type ListProps = {
  query: ReturnType<typeof useAlerts>;
  alerts: readonly Alert[];
  incident: Incident;
  ids: ReadonlySet<string>;
  select: ((alert: Alert, isSelected: boolean) => void) | undefined;
};

function List({ query, alerts, incident, ids, select }: ListProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (data === undefined)
    return error instanceof PagerError ? (
      <Trouble title={words.failed} failure={error.failure} retry={() => void refetch()} />
    ) : (
      <Reading />
    );
  return (
    <div className="alert-list rounded-lg border border-line bg-surface">
      <div aria-hidden="true" className="alert-heads alert-cells">
        <span className="alert-title">{words.columns.title}</span>
        <span className="alert-urgency">{words.columns.urgency}</span>
        <span className="alert-times">{words.columns.times}</span>
        <span className="alert-since">{words.columns.since}</span>
      </div>
      <ul>
        {alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            incident={incident}
            isSelected={ids.has(alert.id)}
            select={select && ((isSelected) => select(alert, isSelected))}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="border-t border-line px-3.5 py-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}
