// From a schedule that pages nobody to a policy that has it as a target.
import { Link, useNavigate } from '@tanstack/react-router';
import { usePicks } from '../form/picks.ts';
import { pathOf, pathOfNew } from '../records/record.ts';
import { sameTeam } from '../shell/pages.ts';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { policies } from './kind.ts';
import { words } from './words.ts';

type Search = { readonly team?: string };

export function AddToPolicy({ schedule }: { schedule: string }) {
  const picks = usePicks('escalation_policy', undefined) ?? [];
  const navigate = useNavigate();
  return (
    <div className="flex max-w-md flex-col gap-3 rounded-lg border border-line p-3">
      <Link
        to={pathOfNew(policies)}
        search={(before: Search) => ({ ...sameTeam(before), schedule })}
        className={`${buttonClass()} self-start`}
      >
        <Icon name="plus" />
        {words.addToNew}
      </Link>
      {picks.length > 0 && (
        <PickField
          path=""
          label={words.addToExisting}
          picks={picks}
          value=""
          onChange={(id) =>
            void navigate({
              to: pathOf(policies, id),
              search: (before: Search) => ({ ...sameTeam(before), tab: 'edit', schedule }),
            })
          }
        />
      )}
    </div>
  );
}
