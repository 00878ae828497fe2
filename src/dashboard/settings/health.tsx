import { Icon, type IconName } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { type Connection, type Health, healthOf } from './connection.ts';
import { words } from './words.ts';

const marks: Readonly<Record<Health['type'], { icon: IconName; color: string }>> = {
  off: { icon: 'bell-off', color: 'text-ink3' },
  waiting: { icon: 'refresh-cw', color: 'text-ink2' },
  ok: { icon: 'check', color: 'text-green' },
  degraded: { icon: 'triangle-alert', color: 'text-amber' },
  failing: { icon: 'triangle-alert', color: 'text-red' },
};

/** Whether the vendor accepts the connection, and why not. */
export const HealthText = ({ connection }: { connection: Connection }) => (
  <HealthShown health={healthOf(connection)} />
);

/** With the time since when it fails. */
export function HealthShown({ health, since }: { health: Health; since?: string | undefined }) {
  const { type, text } = health;
  const { icon, color } = marks[type];
  return (
    <span className={`flex items-baseline gap-1.5 text-sm ${color}`}>
      <Icon name={icon} className="size-4 shrink-0 translate-y-0.5" />
      <span className="min-w-0 text-pretty wrap-anywhere">
        {(type === 'failing' || type === 'degraded') && (
          <>
            <strong>{words.health[type]}</strong>
            {since !== undefined && (
              <>
                {' '}
                {words.health.since} <Moment at={since} />
              </>
            )}
            {': '}
          </>
        )}
        {text}
      </span>
    </span>
  );
}
