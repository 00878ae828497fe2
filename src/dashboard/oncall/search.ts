// What the addresses of the pages of schedules say besides their path; in the entry, so small.
import { type Period, periods } from './periods.ts';

export type PeriodSearch = { readonly from?: string; readonly period?: Period };

/** Two weeks from today on, unless it says otherwise. */
export const onCallsSearch = ({ from, period }: Record<string, unknown>): PeriodSearch => ({
  ...(typeof from === 'string' && { from }),
  ...(period !== 'fortnight' &&
    periods.some((one) => one === period) && { period: period as Period }),
});

export const scheduleTabs = [
  'shifts',
  'announced',
  'notifications',
  'calendar',
  'revisions',
  'uses',
  'terraform',
  'history',
] as const;
export type ScheduleTab = (typeof scheduleTabs)[number];

export const scheduleViews = ['lanes', 'days', 'list'] as const;
export type ScheduleView = (typeof scheduleViews)[number];

export type ScheduleSearch = PeriodSearch & {
  /** The lanes, on a phone the days, unless it says otherwise. */
  readonly view?: ScheduleView;
  /** From and to of a shift that is to be covered; the empty text is all that is left to choose. */
  readonly cover?: string;
  /** The same of a stretch of days that is to be covered shift by shift. */
  readonly covers?: string;
  /** The id of a cover request that is shown, also after it ended. */
  readonly request?: string;
  /** The shifts, unless it says otherwise; or the form that edits the layers. */
  readonly tab?: ScheduleTab | 'layers';
  /** The form begins with the layers of that revision. */
  readonly revision?: number;
  /** On whose clock times are shown; the schedule's when absent. */
  readonly zone?: string;
  /** A second axis on the reader's own clock. */
  readonly mine?: true;
};

export const onCallSearch = ({
  view,
  cover,
  covers,
  request,
  mine,
  zone,
  tab,
  revision,
  ...rest
}: Record<string, unknown>): ScheduleSearch => ({
  ...onCallsSearch(rest),
  ...(scheduleViews.some((one) => one === view) && { view: view as ScheduleView }),
  ...(typeof cover === 'string' && { cover }),
  ...(typeof covers === 'string' && { covers }),
  ...(typeof request === 'string' && { request }),
  ...(tab !== 'shifts' && isTab(tab) && { tab }),
  ...(typeof revision === 'number' && { revision }),
  ...(mine === true && { mine }),
  ...(typeof zone === 'string' && { zone }),
});

const isTab = (tab: unknown): tab is ScheduleTab | 'layers' =>
  tab === 'layers' || scheduleTabs.some((one) => one === tab);
