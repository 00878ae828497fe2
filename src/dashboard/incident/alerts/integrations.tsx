// The integrations that received the alerts of an incident, if there are several.
import { Link } from '@tanstack/react-router';
import { sameTeam } from '../../shell/pages.ts';
import type { Incident } from '../incident.ts';
import { words } from './words.ts';

/** More are counted. */
const LISTED = 5;

type IntegrationsProps = { ids: readonly string[]; names: Incident['names'] };

export function Integrations({ ids, names }: IntegrationsProps) {
  const more = ids.length - LISTED;
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="text-ink3">{words.integrations}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">
        {ids.slice(0, LISTED).map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link
              to="/integrations/$id"
              params={{ id }}
              search={sameTeam}
              className="underline decoration-line underline-offset-2 hover:decoration-ink"
            >
              <bdi>{names[id] ?? words.otherIntegration}</bdi>
            </Link>
          </span>
        ))}
        {more > 0 && ` ${words.moreIntegrations(more)}`}
      </dd>
    </div>
  );
}
