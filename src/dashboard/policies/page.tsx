import { useQuery } from '@tanstack/react-query';
import { RecordsPage } from '../records/list-page.tsx';
import { useTeams } from '../shell/team-label.tsx';
import { policies } from './kind.ts';
import { integrationsQuery, unreachableStepsQuery } from './queries.ts';
import { sentenceOf } from './sentence.ts';
import { useTargetNames } from './use-target-names.ts';
import { words } from './words.ts';

export function PoliciesPage() {
  const teams = useTeams();
  const { data: integrations } = useQuery(integrationsQuery(teams));
  const { data: unreachable } = useQuery(unreachableStepsQuery(teams));
  const nameOf = useTargetNames();
  return (
    <RecordsPage
      kind={policies}
      note={(record) => (
        <>
          {sentenceOf(record, nameOf)}
          {unreachable
            ?.filter((one) => one.escalation_policy_id === record.id)
            .map(({ step, reasons }) => (
              <span key={step} className="block font-medium whitespace-normal text-red">
                <bdi>{words.nobodyNow(step, reasons.join('; '))}</bdi>
              </span>
            ))}
        </>
      )}
      aside={({ id }) => {
        const count = integrations?.filter((one) => one.escalation_policy_id === id).length;
        if (count === undefined) return null;
        return (
          <span className="shrink-0 text-sm text-ink3 max-md:hidden">
            {count === 0 ? words.unused : words.used(count)}
          </span>
        );
      }}
    />
  );
}
