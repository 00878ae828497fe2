import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, toJson } from '../convert.ts';
import { type Diagnostic, warningDiagnostic } from '../diagnostics.ts';
import { type Managed, managedAs, spoken } from '../managed.ts';
import { byId } from '../people.ts';
import { planRecord } from '../planning/plan.ts';
import { scheduleWarnings } from '../planning/schedule-warnings.ts';
import { encodeValue, Unknown, type Value } from '../protocol/value.ts';
import type { Connection, Session } from '../session.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';

export async function planResource(
  { managed, connection }: Session,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const as = managedAs(managed, request.type_name);
  const prior = received(as.type, request.prior_state);
  const { planned, replacing } = planRecord({
    attributes: as.attributes,
    prior,
    config: received(as.type, request.config),
    proposed: received(as.type, request.proposed_new_state),
    teamId: connection?.teamId ?? new Unknown(),
  });
  const isReplaced = replacing.length > 0;
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private: request.prior_private,
    diagnostics: isReplaced
      ? [replaced(as, prior, replacing[0])]
      : await changed(as, { prior, planned, connection }),
  };
}

function replaced({ resource }: Managed, prior: Value, path: string | undefined): Diagnostic {
  const reason = 'A record never changes its team: this one is archived, and another is created.';
  return warningDiagnostic({
    summary: `The ${spoken(resource, prior)} is replaced`,
    detail: [reason, resource.lostByReplacement].filter(Boolean).join(' '),
    path,
  });
}

type Change = {
  readonly prior: Value;
  readonly planned: Value;
  readonly connection: Connection | null;
};

type ChangeWarnings = {
  readonly summary: string;
  readonly path: string;
  readonly of: typeof scheduleWarnings;
};

/** What an update does that its diff does not show. */
const changeWarnings: Readonly<Record<string, ChangeWarnings>> = {
  [oncallSchedule.name]: {
    summary: 'changes for whoever is on call',
    path: 'layers',
    of: scheduleWarnings,
  },
};

async function changed(as: Managed, { prior, planned, connection }: Change): Promise<Diagnostic[]> {
  const { resource, attributes, type } = as;
  const warnings = changeWarnings[resource.name];
  if (warnings === undefined || prior === null || planned === null) return [];
  if (encodeValue(type, prior).equals(encodeValue(type, planned))) return [];
  // A state lacks what Terraform does not manage of the record.
  const read = await connection?.records.read(resource, String(fieldOf(prior, 'id')));
  const before = read?.ok ? read.value : toJson(attributes, prior);
  const nameOf = (await connection?.people.names()) ?? byId;
  const texts = warnings.of({ before, planned, nameOf }).map(({ message }) => message);
  if (texts.length === 0) return [];
  // In one, because Terraform shows only the first of warnings that begin alike.
  const summary = `The ${spoken(resource, prior)} ${warnings.summary}`;
  return [warningDiagnostic({ summary, detail: texts.join('\n'), path: warnings.path })];
}
