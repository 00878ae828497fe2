// What incidents turned out to be: by key, integration and routing rule. Each number is a list.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { verdicts } from '../../resources/verdicts.ts';
import { sameTeam } from '../shell/pages.ts';
import { verdictNames } from '../verdict/words.ts';
import { KeyName } from './key-name.tsx';
import { MakeRule } from './make-rule.tsx';
import { Cell, RowHead, Table } from './part.tsx';
import type { VerdictCounts, VerdictReport } from './queries.ts';
import type { ReportSearch } from './search.ts';
import { words } from './words.ts';

const { verdicts: texts } = words;

type Of = Pick<ReportSearch, 'key' | 'source' | 'rule'>;

export function VerdictsByKey({ rows }: { rows: VerdictReport['keys'] }) {
  return (
    <Verdicts title={texts.keys.title} head={texts.keys.head} isEmpty={rows.length === 0}>
      {rows.map((row) => (
        <Row
          key={`${row.integration_id} ${row.dedup_key}`}
          counts={row}
          of={{ key: row.dedup_key, source: row.integration_id }}
        >
          <KeyName of={row} />
        </Row>
      ))}
    </Verdicts>
  );
}

export function VerdictsByIntegration({ rows }: { rows: VerdictReport['integrations'] }) {
  return (
    <Verdicts
      title={texts.integrations.title}
      head={texts.integrations.head}
      isEmpty={rows.length === 0}
    >
      {rows.map((row) => {
        const { integration_id: id, integration: name = id } = row;
        return (
          <Row key={id} counts={row} of={{ source: id }}>
            <span className="flex min-w-44 flex-wrap items-baseline gap-x-3 wrap-anywhere">
              <Link
                to="/integrations/$id"
                params={{ id }}
                search={sameTeam}
                className="font-medium underline"
              >
                <bdi>{name}</bdi>
              </Link>
              <MakeRule integration={id} name={name} />
            </span>
          </Row>
        );
      })}
    </Verdicts>
  );
}

export function VerdictsByRule({ rows }: { rows: VerdictReport['rules'] }) {
  return (
    <Verdicts title={texts.rules.title} head={texts.rules.head} isEmpty={rows.length === 0}>
      {rows.map((row) => {
        const { rule_id: id, rule: name = id } = row;
        return (
          <Row key={id} counts={row} of={{ rule: id }}>
            <Link
              to="/alert-rules/$id"
              params={{ id }}
              search={sameTeam}
              className="font-medium underline"
            >
              <bdi>{name}</bdi>
            </Link>
          </Row>
        );
      })}
    </Verdicts>
  );
}

type VerdictsProps = { title: string; head: string; isEmpty: boolean; children: ReactNode };

const Verdicts = ({ title, head, isEmpty, children }: VerdictsProps) =>
  isEmpty ? (
    <p className="text-ink2">{texts.none}</p>
  ) : (
    <Table
      label={title}
      heads={[head, texts.ended, texts.answered, ...verdicts.map((one) => verdictNames[one])]}
    >
      {children}
    </Table>
  );

type RowProps = { counts: VerdictCounts; of: Of; children: ReactNode };

const Row = ({ counts, of, children }: RowProps) => (
  <tr>
    <RowHead>{children}</RowHead>
    <Cell>
      <Count count={counts.ended} search={{ ...of, verdicts: 'ended' }} />
    </Cell>
    <Cell>
      <Count count={counts.answered} search={{ ...of, verdicts: 'answered' }} />{' '}
      <span className="text-sm text-ink3">{texts.share(counts.answered / counts.ended)}</span>
    </Cell>
    {verdicts.map((verdict) => (
      <Cell key={verdict}>
        <Count count={counts[verdict]} search={{ ...of, verdicts: verdict }} />
      </Cell>
    ))}
  </tr>
);

type CountProps = { count: number; search: ReportSearch };

export const Count = ({ count, search }: CountProps) =>
  count === 0 ? (
    0
  ) : (
    <Link to="/reports" search={(before) => ({ ...before, ...search })} className="underline">
      {count.toLocaleString()}
    </Link>
  );
