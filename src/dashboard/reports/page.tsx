// How many incidents and pages there were, when, how soon they were answered, and to whom they went.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { once } from '../../resources/once.ts';
import { dayOf } from '../pages/query.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTeams } from '../shell/team-label.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Loaded } from '../ui/loaded.tsx';
import { useNow } from '../ui/now.ts';
import { Empty } from '../ui/panel.tsx';
import type { Percentiles } from './figures.ts';
import { HeatMap } from './heat-map.tsx';
import { IncidentList } from './incident-list.tsx';
import { Keys } from './keys.tsx';
import { Channels, People } from './page-tables.tsx';
import { Part } from './part.tsx';
import { csvAddress, incidentsOf, type Period, pagesOf, periodOf, reportQuery } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { type IncidentReport, incidentReportQuery, pageReportQuery } from './queries.ts';
import { hasList, type ReportSearch, reportSearch, withoutList } from './search.ts';
import { Count, VerdictsByIntegration, VerdictsByKey, VerdictsByRule } from './verdicts.tsx';
import { Weeks } from './weeks.tsx';
import { durationText, words } from './words.ts';

const zone = once(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);

export function ReportsPage() {
  const search = reportSearch(useSearch({ from: '/reports' }));
  const teams = useTeams();
  const period = periodOf(search, dayOf(useNow()));
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title} />
      <PeriodBar search={search} period={period} />
      {period === null ? (
        <Empty {...words.noPeriod} />
      ) : (
        <>
          <p className="px-4 pt-3 text-ink2 md:px-5">
            {words.period(period.from, period.to, zone())}
          </p>
          {hasList(search) ? (
            <IncidentList
              search={search}
              query={incidentsOf(period, search, { teams, timezone: zone() })}
            />
          ) : (
            <Report period={period} search={search} teams={teams} />
          )}
        </>
      )}
    </>
  );
}

type ReportProps = { period: Period; search: ReportSearch; teams: string | undefined };

function Report({ period, search, teams }: ReportProps) {
  const query = { ...reportQuery(period, search, teams), timezone: zone() };
  const incidents = useQuery(incidentReportQuery(query));
  const pages = useQuery(pageReportQuery(query));
  const csv = (report: string, table: string) => csvAddress(report, table, query);
  const filters = pagesOf(period, search, teams);
  return (
    <Loaded query={incidents}>
      {(report) => (
        <div
          aria-busy={incidents.isPlaceholderData || pages.isPlaceholderData}
          className={`report ${incidents.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Gaps
            texts={[
              report.counted_from && words.notAll(words.incidents, dayIn(report.counted_from)),
              report.timelines_removed_before &&
                dayIn(report.timelines_removed_before) > period.from &&
                words.timelinesRemoved(dayIn(report.timelines_removed_before)),
            ]}
          />
          {report.total.opened === 0 ? (
            <Empty {...words.empty} />
          ) : (
            <>
              <Summary report={report} />
              <Part {...words.hours} csv={csv('incidents', 'hours')}>
                <HeatMap counts={report.hours} />
              </Part>
              <Part {...words.weeks} csv={csv('incidents', 'weeks')}>
                <Weeks weeks={report.weeks} />
              </Part>
              <Part {...words.keys} csv={csv('incidents', 'keys')}>
                <Keys keys={report.keys} />
              </Part>
              <Part {...words.verdicts.keys} csv={csv('incidents', 'verdicts_by_key')}>
                <VerdictsByKey rows={report.verdicts.keys} />
              </Part>
              <Part
                {...words.verdicts.integrations}
                csv={csv('incidents', 'verdicts_by_integration')}
              >
                <VerdictsByIntegration rows={report.verdicts.integrations} />
              </Part>
              <Part {...words.verdicts.rules} csv={csv('incidents', 'verdicts_by_rule')}>
                <VerdictsByRule rows={report.verdicts.rules} />
              </Part>
            </>
          )}
          <Loaded query={pages}>
            {(counted) => (
              <>
                <Gaps
                  texts={[
                    counted.counted_from && words.notAll(words.pages, dayIn(counted.counted_from)),
                    counted.pages_removed_before &&
                      dayIn(counted.pages_removed_before) > period.from &&
                      words.pagesRemoved(dayIn(counted.pages_removed_before)),
                  ]}
                />
                <Part {...words.people} csv={csv('pages', 'people')}>
                  <People rows={counted.people} filters={filters} />
                </Part>
                <Part {...words.channels} csv={csv('pages', 'channels')}>
                  <Channels rows={counted.channels} filters={filters} />
                </Part>
              </>
            )}
          </Loaded>
        </div>
      )}
    </Loaded>
  );
}

const dayIn = (instant: string) => dayOf(Date.parse(instant));

/** What the figures do not contain. */
const Gaps = ({ texts }: { texts: readonly (string | false | undefined)[] }) =>
  texts.map(
    (text) =>
      text && (
        <p key={text} className="px-4 pt-3 text-ink2 md:px-5">
          {text}
        </p>
      ),
  );

const Summary = ({ report: { total, verdicts } }: { report: IncidentReport }) => (
  <dl className="flex flex-wrap gap-x-10 gap-y-4 border-b border-line px-4 py-5 md:px-5">
    <Fact name={words.summary.opened}>
      <Link
        to="/reports"
        search={(search) => ({ ...withoutList(search), list: 'all' })}
        className="underline"
      >
        {total.opened.toLocaleString()}
      </Link>
    </Fact>
    <Fact name={words.summary.acknowledge} times={total.acknowledge_seconds}>
      {words.acknowledged(total.acknowledged, total.opened)}
    </Fact>
    <Fact name={words.summary.resolve} times={total.resolve_seconds}>
      {words.resolved(total.resolved, total.opened)}
    </Fact>
    <Fact name={words.summary.verdicts}>
      <Count count={verdicts.total.answered} search={{ verdicts: 'answered' }} />
      <span className="ms-2 text-base font-normal text-ink2">
        {words.ofEnded(verdicts.total.ended)}
      </span>
    </Fact>
  </dl>
);

type FactProps = { name: string; times?: Percentiles | undefined; children: ReactNode };

const Fact = ({ name, times, children }: FactProps) => (
  <div>
    <dt className="text-sm text-ink2">{name}</dt>
    <dd>
      {times ? (
        <>
          <span className="text-xl font-bold">{durationText(times.median)}</span>
          <span className="ms-2 text-ink2">{words.within(durationText(times.p90))}</span>
          <span className="block text-sm text-ink2">{children}</span>
        </>
      ) : (
        <span className="text-xl font-bold">{children}</span>
      )}
    </dd>
  </div>
);
