import { Link } from '@tanstack/react-router';
import { sameTeam } from '../shell/pages.ts';
import { MakeRule } from './make-rule.tsx';
import type { Key } from './queries.ts';

type Named = Pick<Key, 'integration_id' | 'dedup_key' | 'incident_number' | 'incident_title'>;

/** By its newest incident, with the way to a rule for it. */
export const KeyName = ({ of: key }: { of: Named }) => (
  <>
    <span className="flex min-w-44 flex-wrap items-baseline gap-x-3 wrap-anywhere">
      <Link
        to="/incidents/$number"
        params={{ number: String(key.incident_number) }}
        search={sameTeam}
        className="font-medium underline"
      >
        <bdi>{key.incident_title}</bdi>
      </Link>
      <MakeRule
        integration={key.integration_id}
        title={key.incident_title}
        name={key.incident_title}
      />
    </span>
    <bdi className="text-sm wrap-anywhere text-ink3">{key.dedup_key}</bdi>
  </>
);
