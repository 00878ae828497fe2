import { useNow } from '../ui/now.ts';
import type { Bar } from './bar.ts';
import { nextHandoffs } from './handoffs.ts';
import { fullText } from './times.ts';
import { editWords as words } from './words.ts';

/** Of a schedule that is being made or edited. */
export function NextHandoffs({ bars, zone }: { bars: readonly Bar[]; zone: string }) {
  const now = useNow();
  const handoffs = nextHandoffs(bars, now);
  if (handoffs.length === 0) return null;
  return (
    <section aria-labelledby="handoffs" className="mt-3">
      <h3 id="handoffs" className="font-medium">
        {words.handoffs}
      </h3>
      <ol>
        {handoffs.map(({ at, from, to }) => (
          <li key={at} className="flex flex-wrap gap-x-3 py-0.5">
            <time dateTime={new Date(at).toISOString()} className="w-44 text-ink2">
              {fullText(zone, at, now)}
            </time>
            <bdi className={to === null ? 'text-red' : ''}>
              {words.handsOff(from ?? words.nobody, to ?? words.nobody)}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
