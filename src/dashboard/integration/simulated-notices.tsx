// Who would be notified when, as a simulation answers it.
import { channelName } from '../ui/channel.ts';
import { afterText, recipientOf, type SimulatedNotice, type Simulation } from './simulation.ts';
import { words as all } from './words.ts';

const words = all.events;

export const SimulatedNotices = ({
  simulation: { notices, ended },
}: {
  simulation: Simulation;
}) => (
  <div>
    <p className="font-medium">{words.paged}</p>
    {notices.length === 0 && <p className="text-ink2">{words.nobodyPaged}</p>}
    <ol className="empty:hidden">
      {notices.map((notice, index) => (
        // One person can get several alike.
        <Notice key={`${notice.after_seconds} ${index}`} notice={notice} />
      ))}
    </ol>
    <p className="text-sm text-ink3">{ended.text}</p>
  </div>
);

const Notice = ({ notice }: { notice: SimulatedNotice }) => (
  <li className="grid gap-x-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
    <span className="text-ink3">{afterText(notice.after_seconds)}</span>
    <span className={`min-w-0 wrap-anywhere ${notice.deliverable ? '' : 'text-red'}`}>
      {words.notice(recipientOf(notice), channelName(notice.channel))}
      {notice.reason !== null && `: ${notice.reason}`}
    </span>
  </li>
);
