// How much of the monthly limit is used, what is expected, and what happens at the limit.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readBody } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { pollMs } from '../live/live.ts';
import { SettingsTabs } from '../settings/tabs.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { pages, sameTeam } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { buttonClass } from '../ui/button.tsx';
import { channelIcon, channelName } from '../ui/channel.ts';
import { Day } from '../ui/day.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { type Bar, barOf, channelsOf, monthStart, type Quota, stateOf } from './quota.ts';
import { words } from './words.ts';

const quotaQuery = queryOptions({
  queryKey: ['quota'],
  queryFn: () => readBody<Quota>('/quota'),
  refetchInterval: pollMs,
});

export function QuotaPage() {
  const query = useQuery(quotaQuery);
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title} />
      <SettingsTabs current={pages.quota} />
      <Loaded query={query}>
        {(quota) => (
          <>
            <Month quota={quota} />
            <Channels quota={quota} />
            <AtLimit quota={quota} />
          </>
        )}
      </Loaded>
    </>
  );
}

const month = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function Month({ quota }: { quota: Quota }) {
  const { used, limit, projected, resets_at } = quota;
  const state = stateOf(quota);
  const bar = barOf(quota);
  const isOver = limit !== undefined && projected !== undefined && projected > limit;
  return (
    <Section title={month.format(monthStart(quota))} text={words.text}>
      <div className="flex max-w-2xl flex-col gap-2">
        <p className="text-lg font-medium">
          {limit === undefined ? words.sent(used) : words.used(used, limit)}
        </p>
        {bar && <UsageBar bar={bar} isReached={state === 'reached'} />}
        {state === 'unlimited' && <p className="text-ink2">{words.noLimit}</p>}
        {state === 'near' && <p className="font-medium text-amber">{words.near}</p>}
        {state === 'reached' && <p className="font-medium text-red">{words.reached}</p>}
        <p className={isOver ? 'font-medium text-amber' : 'text-ink2'}>
          {projected === undefined
            ? words.tooEarly
            : isOver
              ? words.over(projected)
              : words.projected(projected)}
        </p>
        <p className="text-sm text-ink3">
          {words.resets} <Day at={resets_at} />.
        </p>
      </div>
    </Section>
  );
}

const width = (percent: number) => ({ inlineSize: `${percent}%` });

/** What is expected is hatched; the sentences around it say the same. */
const UsageBar = ({ bar, isReached }: { bar: Bar; isReached: boolean }) => (
  <div role="img" aria-label={words.bar} className="pb-5">
    <div className="relative h-4 rounded-sm border border-edge bg-sunken">
      <div
        className="absolute inset-y-0 start-0 border-e border-dashed border-edge bg-line"
        style={width(bar.projected)}
      />
      <div
        className={`absolute inset-y-0 start-0 ${isReached ? 'bg-red' : 'bg-ink2'}`}
        style={width(bar.used)}
      />
      {bar.marks.map(({ share, at }) => (
        <div
          key={share}
          className="absolute -inset-y-1 start-0 border-e-2 border-ink"
          style={width(at)}
        >
          <span className="absolute end-0 top-full text-xs text-ink2">{words.mark(share)}</span>
        </div>
      ))}
    </div>
  </div>
);

function Channels({ quota }: { quota: Quota }) {
  const channels = channelsOf(quota);
  return (
    <Section title={words.byChannel}>
      {channels.length === 0 ? (
        <p className="text-ink2">{words.nothing}</p>
      ) : (
        <ul aria-label={words.byChannel} className="max-w-2xl">
          {channels.map(({ channel, count, share }) => (
            <li
              key={channel}
              className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-2 last:border-b-0"
            >
              <Icon name={channelIcon(channel)} className="size-5 text-ink2" />
              <span>{channelName(channel)}</span>
              <span className="font-medium">{count.toLocaleString()}</span>
              <span aria-hidden="true" className="col-start-2 h-1.5 rounded-sm bg-sunken">
                <span className="block h-full rounded-sm bg-ink2" style={width(share)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function AtLimit({ quota: { limit, stops_pages } }: { quota: Quota }) {
  const mayChange = useMay('admin');
  return (
    <Section title={words.atLimit}>
      <div className="flex max-w-2xl flex-col items-start gap-2">
        <p className="text-pretty">{stops_pages ? words.stopsPages : words.stopsShifts}</p>
        <p className="text-ink2">{words.admins}</p>
        {mayChange && (
          <Link to="/settings/organization" search={sameTeam} className={buttonClass()}>
            {limit === undefined ? words.set : words.change}
          </Link>
        )}
      </div>
    </Section>
  );
}
