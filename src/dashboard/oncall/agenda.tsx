import { useNow } from '../ui/now.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { type AgendaDay, type AgendaEntry, agendaOf } from './agenda.ts';
import { entryText } from './agenda-text.ts';
import type { Axis } from './axis.ts';
import type { Bar } from './bar.ts';
import { barText } from './bar-text.ts';
import { nameIn, type People } from './bars.ts';
import { dateText } from './times.ts';
import { scheduleWords, agendaWords as words } from './words.ts';

type AgendaProps = {
  axis: Axis;
  bars: readonly Bar[];
  people: People;
  /** On whose clock times are shown, too. */
  ownZone: string | null;
  cover?: (bar: Bar) => void;
};

/** Who is on call day by day; a press on somebody covers that shift. */
export function Agenda({ axis, bars, people, ownZone, cover }: AgendaProps) {
  const now = useNow();
  return (
    <ol aria-label={scheduleWords.lanes.final}>
      {agendaOf(axis.days, bars).map(({ day, entries }: AgendaDay) => {
        const isToday = day.start <= now && now < day.end;
        return (
          <li
            key={day.start}
            aria-current={isToday ? 'date' : undefined}
            className={`grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 border-t border-line py-1 aria-[current]:border-s-2 aria-[current]:border-s-iris aria-[current]:ps-2 ${day.end <= now ? 'text-ink3' : ''}`}
          >
            <h3 className={`py-2 ${isToday ? 'font-bold' : 'font-medium'}`}>
              {dateText(axis.zone, day.start)}
            </h3>
            <ul>
              {entries.length === 0 && <li className="py-2 text-ink3">{words.none}</li>}
              {entries.map((entry) => (
                <Entry
                  key={entry.bar.key}
                  entry={entry}
                  zone={axis.zone}
                  ownZone={ownZone}
                  people={people}
                  {...(cover && entry.bar.end > now && { cover })}
                />
              ))}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}

type EntryProps = Pick<AgendaProps, 'people' | 'ownZone' | 'cover'> & {
  entry: AgendaEntry;
  zone: string;
};

function Entry({ entry, zone, ownZone, people, cover }: EntryProps) {
  const now = useNow();
  const { bar } = entry;
  const color = { gap: 'text-red', 'by design': 'text-ink2', shift: '', override: '' }[bar.kind];
  const text = (
    <>
      {bar.userId !== undefined && (
        <PersonMark
          id={bar.userId}
          name={nameIn(people, bar.userId)}
          hue={people.hues.get(bar.userId)}
        />
      )}
      <span className="min-w-0 text-start">
        {cover && <span className="sr-only">{words.cover} </span>}
        <bdi className={`font-medium ${color}`}>{bar.full}</bdi>{' '}
        <span className="text-ink2">{entryText(entry, zone, ownZone)}</span>
        {bar.note !== undefined && <span className="block text-sm text-ink2">{bar.note}</span>}
      </span>
    </>
  );
  const box = 'flex w-full min-w-0 items-center gap-2 rounded-md px-1 py-2';
  return (
    <li>
      {cover ? (
        <button
          type="button"
          className={`${box} min-h-11 hover:bg-sunken`}
          title={barText(bar, zone, now)}
          onClick={() => cover(bar)}
        >
          {text}
        </button>
      ) : (
        <div className={box}>{text}</div>
      )}
    </li>
  );
}
