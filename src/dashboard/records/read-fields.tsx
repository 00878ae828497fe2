// The fields of a record as they are read.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { teamNamesQuery } from '../api/queries.ts';
import { type Draft, draftOf } from '../form/draft.ts';
import { type Field, fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { textOf } from '../form/text.ts';
import { Section } from '../ui/section.tsx';
import { resourceOf } from './declared.ts';
import type { DashboardRecord, RecordKind } from './record.ts';
import { words } from './words.ts';

/** By field: what a page says of it in place of its value. */
export type OwnTexts = Readonly<Record<string, (record: Draft) => string>>;

type ReadFieldsProps = {
  kind: RecordKind;
  record: DashboardRecord;
  /** What is shown elsewhere on the page. */
  without?: readonly string[] | undefined;
  texts?: OwnTexts | undefined;
};

export function ReadFields({ kind, record, without = [], texts }: ReadFieldsProps) {
  const fields = fieldsOf(resourceOf(kind)).filter(({ name }) => !without.includes(name));
  const { data: teams } = useQuery(teamNamesQuery);
  return (
    <Section title={words.settings}>
      <ReadList fields={fields} record={record} texts={texts}>
        {teams && teams.size > 1 && (
          <Read label={words.team}>{teams.get(record.team_id) ?? record.team_id}</Read>
        )}
      </ReadList>
    </Section>
  );
}

type ReadListProps = {
  fields: readonly Field[];
  record: Draft;
  texts?: OwnTexts | undefined;
  children?: ReactNode;
};

export function ReadList({ fields, record, texts, children }: ReadListProps) {
  const nameOf = useNames(fields);
  const draft = draftOf(fields, record);
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      {fields.map(({ name, label, widget }) => (
        <Read key={name} label={label} none={words.noneOf[name]}>
          {texts?.[name]?.(record) ?? textOf(widget, draft[name], nameOf)}
        </Read>
      ))}
      {children}
    </dl>
  );
}

type ReadProps = { label: string; none?: string | undefined; children: ReactNode };

const Read = ({ label, none = words.none, children }: ReadProps) => (
  <div className="sm:contents">
    <dt className="text-ink3">{label}</dt>
    <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
      {children ? <bdi>{children}</bdi> : <span className="text-ink3">{none}</span>}
    </dd>
  </div>
);
