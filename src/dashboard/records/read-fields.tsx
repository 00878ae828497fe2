// The fields of a record as they are read.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { teamNamesQuery } from '../api/queries.ts';
import { draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { textOf } from '../form/text.ts';
import { Section } from '../ui/section.tsx';
import { resourceOf } from './declared.ts';
import type { DashboardRecord, RecordKind } from './record.ts';
import { words } from './words.ts';

type ReadFieldsProps = {
  kind: RecordKind;
  record: DashboardRecord;
  /** What is shown elsewhere on the page. */
  without?: readonly string[] | undefined;
};

export function ReadFields({ kind, record, without = [] }: ReadFieldsProps) {
  const fields = fieldsOf(resourceOf(kind)).filter(({ name }) => !without.includes(name));
  const nameOf = useNames(fields);
  const { data: teams } = useQuery(teamNamesQuery);
  const draft = draftOf(fields, record);
  return (
    <Section title={words.settings}>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {fields.map(({ name, label, widget }) => (
          <Read key={name} label={label}>
            {textOf(widget, draft[name], nameOf)}
          </Read>
        ))}
        {teams && teams.size > 1 && (
          <Read label={words.team}>{teams.get(record.team_id) ?? record.team_id}</Read>
        )}
      </dl>
    </Section>
  );
}

const Read = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="sm:contents">
    <dt className="text-ink3">{label}</dt>
    <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
      {children ? <bdi>{children}</bdi> : <span className="text-ink3">{words.none}</span>}
    </dd>
  </div>
);
