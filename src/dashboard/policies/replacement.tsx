// Before a policy is archived: which one takes over what uses it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useWrite } from '../api/use-write.ts';
import { usePicks, withChosen } from '../form/picks.ts';
import { recordQuery, usesQuery } from '../records/queries.ts';
import { type DashboardRecord, keyOf } from '../records/record.ts';
import type { RecordViewProps } from '../records/record-page.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { policies } from './kind.ts';
import { words } from './words.ts';

const FIELD = 'archive_replacement_policy_id';

/** Saved at once, so that the consequences are those that the archiving has. */
export function Replacement({ record }: RecordViewProps) {
  const { id, version, team_id } = record;
  const queries = useQueryClient();
  const { data: uses } = useQuery(usesQuery(policies, id));
  const picks = usePicks('escalation_policy', team_id)?.filter(({ value }) => value !== id);
  const writing = useWrite([keyOf(policies)], ['search']);
  if (uses === undefined || uses.count === 0) return null;
  const chosen = String(record[FIELD] ?? '');
  async function choose(next: string) {
    if (next === chosen) return;
    const body = { [FIELD]: next === '' ? null : next };
    const path = `${policies.path}/${id}`;
    const saved = await writing.send({ method: 'PATCH', path, body, version });
    if (saved !== null)
      queries.setQueryData(recordQuery(policies, id).queryKey, saved as DashboardRecord);
  }
  return (
    <div aria-busy={writing.isPending} className="mb-4 flex flex-col gap-2">
      <PickField
        path={FIELD}
        label={words.replacement}
        help={words.replacementHelp}
        picks={withChosen(picks, chosen)}
        value={chosen}
        onChange={(next) => void choose(next)}
      />
      <FailedWrite failure={writing.failure} />
    </div>
  );
}
