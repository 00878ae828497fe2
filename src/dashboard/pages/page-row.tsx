import { Link } from '@tanstack/react-router';
import { NoticeList } from '../incident/sent/notice-list.tsx';
import { Moment } from '../ui/moment.tsx';
import type { Page } from './queries.ts';
import { words } from './words.ts';

/** One page: of which incident, and what became of it. */
export function PageRow({ page }: { page: Page }) {
  const { incident_number, incident_title, service, step, kind, created_at } = page;
  return (
    <>
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <Link
          to="/incidents/$number"
          params={{ number: String(incident_number) }}
          className="min-w-0 wrap-anywhere font-medium underline"
        >
          {words.number(incident_number)} <bdi>{incident_title}</bdi>
        </Link>
        <span className="text-ink3">
          {service && <bdi>{service}</bdi>}
          {service && step !== undefined && ' · '}
          {step !== undefined && words.step(step)}
        </span>
        <span className="text-sm text-ink3">
          <Moment at={created_at} />
        </span>
      </p>
      {words.kinds[kind] && <p className="text-ink2">{words.kinds[kind]}</p>}
      <NoticeList notices={[page]} />
    </>
  );
}
