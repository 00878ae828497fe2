import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { visibleText } from '../../../resources/visible-text.ts';
import { Priority } from '../../incidents/priority.tsx';
import { sameTeam } from '../../shell/pages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Moment } from '../../ui/moment.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AlertContent, RawSwitch } from '../alert-details.tsx';
import { AlertDescription, AlertLinks } from '../alert-head.tsx';
import { cardOf } from '../details.ts';
import type { Incident } from '../incident.ts';
import type { Alert } from './alerts.ts';
import { words } from './words.ts';

type AlertProps = { alert: Alert; incident: Incident };
type RowProps = AlertProps & {
  /** Undefined: nobody may act on it. */
  select: ((isSelected: boolean) => void) | undefined;
  isSelected: boolean;
};

/** Its details are made once they are opened: there may be very many rows. */
export function AlertRow({ alert, incident, select, isSelected }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const { state, title, priority, severity, times, first_at, resolved_at } = alert;
  const isActive = state === 'firing';
  return (
    <li className="flex border-t border-line">
      {select && (
        <label className="alert-pick">
          <input
            type="checkbox"
            aria-label={words.select(visibleText(title))}
            checked={isSelected}
            onChange={({ target }) => select(target.checked)}
            className="size-4 accent-ink pointer-coarse:size-6"
          />
        </label>
      )}
      <details
        className="group min-w-0 flex-1"
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="alert-summary alert-cells">
          <span
            className={`alert-state inline-flex items-center gap-1 text-sm font-medium ${isActive ? 'text-red' : 'text-green'}`}
          >
            <Icon
              name="chevron-right"
              className="size-3.5 shrink-0 text-ink3 group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
            />
            <Icon name={isActive ? 'siren' : 'check'} className="size-4 shrink-0" />
            {words.states[state]}
          </span>
          <span className={`alert-title wrap-anywhere ${isActive ? 'font-medium' : 'text-ink2'}`}>
            <bdi>{title}</bdi>
          </span>
          <span className="alert-urgency inline-flex gap-1 empty:hidden">
            {priority && <Priority priority={priority} isUrgent={isActive && priority === 'p1'} />}
            {severity && (
              <Priority priority={severity} isUrgent={isActive && severity === 'sev1'} />
            )}
          </span>
          <span className="alert-times text-ink2">
            <span aria-hidden="true" title={words.timesHint(times)}>
              {words.times(times)}
            </span>
            <span className="sr-only">{words.timesHint(times)}</span>
          </span>
          <span className="alert-since text-ink2">
            <span className="sr-only">{words.columns.since} </span>
            <TimeAgo at={isActive ? first_at : (resolved_at ?? first_at)} />
          </span>
        </summary>
        {isOpen && <Opened alert={alert} incident={incident} />}
      </details>
    </li>
  );
}

function Opened({ alert, incident }: AlertProps) {
  const [isRaw, setRaw] = useState(false);
  const { details, links, dedup_key, first_at, last_at, resolved_at, expires_at } = alert;
  const { integration_id } = alert;
  return (
    <div className="flex flex-col gap-3 px-3.5 pb-3.5">
      <AlertDescription incident={alert} />
      <AlertLinks links={links} />
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-ink2">
        <Fact name={words.first}>
          <Moment at={first_at} to="second" />
        </Fact>
        <Fact name={words.last}>
          <Moment at={last_at} to="second" />
        </Fact>
        {resolved_at !== undefined && (
          <Fact name={words.ended}>
            <Moment at={resolved_at} to="second" />
          </Fact>
        )}
        {expires_at !== undefined && resolved_at === undefined && (
          <Fact name={words.ends}>
            <Moment at={expires_at} to="second" />
          </Fact>
        )}
        <Fact name={words.key}>
          <bdi>{dedup_key}</bdi>
        </Fact>
        {integration_id !== incident.source_integration_id && (
          <Fact name={words.integration}>
            <Link
              to="/integrations/$id"
              params={{ id: integration_id }}
              search={sameTeam}
              className="underline"
            >
              <bdi>{incident.names[integration_id] ?? words.otherIntegration}</bdi>
            </Link>
          </Fact>
        )}
      </dl>
      {details !== undefined && (
        <div>
          {cardOf(alert) !== null && <RawSwitch isRaw={isRaw} choose={() => setRaw(!isRaw)} />}
          <AlertContent sent={alert} isRaw={isRaw} isResolved={resolved_at !== undefined} />
        </div>
      )}
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-w-0 gap-1.5">
    <dt className="shrink-0 text-ink3">{name}</dt>
    <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
  </div>
);
