import { type Diagnostic, warningDiagnostic } from '../diagnostics.ts';
import { type Managed, managedAs, spoken } from '../managed.ts';
import { planRecord } from '../plan.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type Answered, type Asked, received, sending } from './dynamic-value.ts';

export async function planResource(
  { connection }: Session,
  asked: Asked<'PlanResourceChange'>,
): Promise<Answered<'PlanResourceChange'>> {
  const as = managedAs(asked.type_name);
  const prior = received(as.type, asked.prior_state);
  const { planned, replacing } = planRecord({
    attributes: as.attributes,
    prior,
    config: received(as.type, asked.config),
    proposed: received(as.type, asked.proposed_new_state),
    teamId: connection?.teamId ?? new Unknown(),
  });
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private: asked.prior_private,
    diagnostics: replacing.map((name) => replaced(as, prior, name)),
  };
}

/** What only this kind of record loses with its old id. */
const lost: Readonly<Record<string, string>> = {
  integration:
    'The new integration has a new token and webhook URL: monitoring tools have to be told, and events sent to the old one are refused.',
  service:
    'Events of integrations that still point to the archived service are dropped: set create_before_destroy in its lifecycle.',
};

function replaced({ resource }: Managed, prior: Value, path: string): Diagnostic {
  const what = spoken(resource, prior);
  const told = `A record never changes its team: this one is archived, and another is created.`;
  return warningDiagnostic({
    summary: `The ${what} is replaced`,
    detail: [told, lost[resource.name]].filter(Boolean).join(' '),
    path,
  });
}
