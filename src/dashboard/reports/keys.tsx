import { Link } from '@tanstack/react-router';
import { sameTeam } from '../shell/pages.ts';
import { Cell, RowHead, Table } from './part.tsx';
import type { Key } from './queries.ts';
import { Count, MakeRule } from './verdicts.tsx';
import { words } from './words.ts';

const { keys: texts } = words;

/** Which keys opened most; one that nobody acknowledges may want a rule. */
export function Keys({ keys }: { keys: readonly Key[] }) {
  if (keys.length === 0) return <p className="text-ink2">{texts.none}</p>;
  return (
    <Table
      label={texts.title}
      heads={[
        texts.key,
        texts.integration,
        texts.incidents,
        texts.unacknowledged,
        texts.suppressed,
      ]}
    >
      {keys.map((key) => (
        <tr key={`${key.integration_id} ${key.dedup_key}`}>
          <RowHead>
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
          </RowHead>
          <Cell>
            <Link
              to="/integrations/$id"
              params={{ id: key.integration_id }}
              search={sameTeam}
              className="underline"
            >
              <bdi className="block max-w-48 truncate">{key.integration ?? key.integration_id}</bdi>
            </Link>
          </Cell>
          <Cell>
            <Link
              to="/reports"
              search={(search) => ({
                ...search,
                key: key.dedup_key,
                source: key.integration_id,
              })}
              className="underline"
            >
              {words.opened(key.opened)}
            </Link>
          </Cell>
          <Cell>
            <Count
              count={key.unacknowledged}
              search={{ key: key.dedup_key, source: key.integration_id, acknowledged: false }}
            />
          </Cell>
          <Cell>{key.suppressed.toLocaleString()}</Cell>
        </tr>
      ))}
    </Table>
  );
}
