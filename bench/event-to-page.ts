// From an event to the first page in somebody's hands, at two paces.
import { newTitles } from './events.ts';
import { type Paging, pageDelays } from './page-delays.ts';
import { rate, type Tell, times } from './told.ts';

type Asked = Pick<Paging, 'port' | 'paths' | 'receiver'>;

export async function measureEventToPage(asked: Asked, tell: Tell): Promise<void> {
  const title = newTitles(1_000_000);
  await pageDelays({ ...asked, title, perSecond: 100, seconds: 3 });
  for (const perSecond of [50, 500]) {
    const delays = await pageDelays({ ...asked, title, perSecond, seconds: 8 });
    const what = `event sent to page handed over, ${perSecond} new incidents/s`;
    tell(what, times(delays), `${rate(delays.perSecond)} came`);
  }
}
