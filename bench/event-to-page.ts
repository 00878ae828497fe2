// From an event to the first page at its recipient, at two paces.
import { newTitles } from './events.ts';
import { type Paging, pageDelays } from './page-delays.ts';
import { type Report, rate, times } from './report.ts';

type EventToPageParams = Pick<Paging, 'port' | 'paths' | 'pageServer'>;

export async function measureEventToPage(params: EventToPageParams, report: Report): Promise<void> {
  const title = newTitles(1_000_000);
  await pageDelays({ ...params, title, perSecond: 100, seconds: 3 });
  for (const perSecond of [50, 500]) {
    const delays = await pageDelays({ ...params, title, perSecond, seconds: 8 });
    const what = `event sent to page handed over, ${perSecond} new incidents/s`;
    report(what, times(delays), `${rate(delays.perSecond)} came`);
  }
}
