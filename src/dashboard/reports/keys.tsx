import { Link } from '@tanstack/react-router';
import { sameTeam } from '../shell/pages.ts';
import { KeyName } from './key-name.tsx';
import { Cell, RowHead, Table } from './part.tsx';
import type { Key } from './queries.ts';
import { Count } from './verdicts.tsx';
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
            <KeyName of={key} />
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
