import { isSchedule } from '../../client/records.ts';
import { fieldOf, toJson } from '../convert.ts';
import { type Diagnostic, warningDiagnostic } from '../diagnostics.ts';
import { type Managed, managedAs, spoken } from '../managed.ts';
import { byId } from '../people.ts';
import { planRecord } from '../planning/plan.ts';
import { scheduleWarnings } from '../planning/schedule-warnings.ts';
import { encodeValue, Unknown, type Value } from '../protocol/value.ts';
import type { Connection, Session } from '../session.ts';
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
  const isReplaced = replacing.length > 0;
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private: asked.prior_private,
    diagnostics: isReplaced
      ? [replaced(as, prior, replacing[0])]
      : await changed(as, { prior, planned, connection }),
  };
}

/** What only this kind of record loses with its old id. */
const lost: Readonly<Record<string, string>> = {
  integration:
    'The new integration has a new token and webhook URL: monitoring tools have to be told, and events sent to the old one are refused.',
  service:
    'Events of integrations that still point to the archived service are dropped: set create_before_destroy in its lifecycle.',
};

function replaced({ resource }: Managed, prior: Value, path: string | undefined): Diagnostic {
  const told = 'A record never changes its team: this one is archived, and another is created.';
  return warningDiagnostic({
    summary: `The ${spoken(resource, prior)} is replaced`,
    detail: [told, lost[resource.name]].filter(Boolean).join(' '),
    path,
  });
}

type Change = {
  readonly prior: Value;
  readonly planned: Value;
  readonly connection: Connection | null;
};

/** An update of a schedule pages people, and removes what only the dashboard can set. */
async function changed(as: Managed, { prior, planned, connection }: Change): Promise<Diagnostic[]> {
  const { resource, attributes, type } = as;
  if (!isSchedule(resource) || prior === null || planned === null) return [];
  if (encodeValue(type, prior).equals(encodeValue(type, planned))) return [];
  // A state does not have all that a schedule has.
  const read = await connection?.records.read(resource, String(fieldOf(prior, 'id')));
  const before = read?.ok ? read.value : toJson(attributes, prior);
  const nameOf = (await connection?.people.names()) ?? byId;
  const told = scheduleWarnings({ before, planned, nameOf }).map(({ message }) => message);
  if (told.length === 0) return [];
  // In one, because Terraform shows only the first of warnings that begin alike.
  const summary = `The ${spoken(resource, prior)} changes for whoever is on call`;
  return [warningDiagnostic({ summary, detail: told.join('\n'), path: 'layers' })];
}
