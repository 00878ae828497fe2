// Saved records that a worker thread requests in order to check a proposal.
import { queryLimits } from '../../limits/queries.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import { find, select } from '../../storage/records/queries.ts';
import { hiding, type Parts, portionByPortion, portionsOf } from './configuration-methods.ts';
import type { ProposalMethods, TeamScope } from './proposal.ts';
import { nameMethods } from './record-names.ts';

export function proposalMethods({ sql, secrets }: Parts, team: TeamScope): ProposalMethods {
  const { organization_id: organizationId, team_id } = team;
  const scope = { organizationId, teamIds: [team_id] };
  const hide = hiding(secrets, organizationId);
  async function* savedRules() {
    const query = { limit: queryLimits.rules, after: 0, archived: false, filters: {} };
    yield* portionsOf(await select(sql, alertRoutingRule, { query, scope }));
  }
  return {
    savedRules: portionByPortion(savedRules()),
    async policyOf({ integrationId, id }) {
      const named =
        integrationId === null
          ? undefined
          : await find(sql, integration, { key: integrationId, scope });
      const key = integrationId === null ? id : named?.['escalation_policy_id'];
      if (key === undefined || key === null) return null;
      const policy = await find(sql, escalationPolicy, { key, scope });
      return policy === undefined ? null : hide({ ...policy });
    },
    ...nameMethods(sql, organizationId),
  };
}
