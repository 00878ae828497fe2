// /alert-rules: the rules in the order in which they run, each as a sentence.
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { fieldsOf } from '../form/form.ts';
import { useNames } from '../form/picks.ts';
import { resourceOf } from '../records/declared.ts';
import { RecordsPage } from '../records/list-page.tsx';
import { recordsQuery } from '../records/queries.ts';
import { type DashboardRecord, displayNameOf, keyOf } from '../records/record.ts';
import { useTeams } from '../shell/team-label.tsx';
import { IconButton } from '../ui/button.tsx';
import { DragHandle } from '../ui/drag-handle.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { rules } from './kind.ts';
import { canMove, inOrder, movesFor, type Placed, stepsTo } from './order.ts';
import { type RuleFields, ruleSentence } from './sentence.ts';
import { words } from './words.ts';

const placed = (record: DashboardRecord) => record as DashboardRecord & Placed;

export function RulesPage() {
  const nameOf = useNames(fieldsOf(resourceOf(rules)));
  return (
    <RecordsPage
      kind={rules}
      order={(records) => inOrder(records.map(placed))}
      note={(record) => (
        <span className="whitespace-normal wrap-anywhere">
          {ruleSentence(record as unknown as RuleFields, nameOf)}
        </span>
      )}
      aside={({ enabled }) =>
        enabled === false && <span className="shrink-0 text-sm text-ink2">{words.off}</span>
      }
      actions={(record) => <MoveButtons record={record} />}
    />
  );
}

/** Among all rules of the team, also those that a search does not show. */
function MoveButtons({ record }: { record: DashboardRecord }) {
  const mayMove = useMay('manager') === true && record.archived_at === undefined;
  const { data } = useQuery(recordsQuery(rules, { teams: useTeams(), isArchived: false }));
  const moving = useWrite([keyOf(rules)]);
  if (!mayMove || data === undefined) return null;
  const ordered = inOrder(data.map(placed));
  const index = ordered.findIndex(({ id }) => id === record.id);
  const move = async (steps: number) => {
    if (moving.isPending) return;
    for (const { id, version, position } of movesFor(ordered, index, steps)) {
      const path = `${rules.path}/${id}`;
      const body = { position };
      if ((await moving.send({ method: 'PATCH', path, version, body })) === null) return;
    }
  };
  const name = displayNameOf(record);
  const button = (step: 1 | -1) => (
    <IconButton
      icon={step < 0 ? 'arrow-up' : 'arrow-down'}
      label={step < 0 ? words.up(name) : words.down(name)}
      disabled={!canMove(ordered, index, step)}
      aria-disabled={moving.isPending}
      onClick={() => void move(step)}
    />
  );
  return (
    <span className="flex shrink-0 items-center pe-3">
      <DragHandle
        label={words.drag}
        value={record.id}
        onDrop={(id) => void move(stepsTo(ordered, index, id))}
      />
      {button(-1)}
      {button(1)}
      <FailedWrite failure={moving.failure} />
    </span>
  );
}
