import type { Problem } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fieldOf, toJson } from '../convert.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  problemText,
  warningDiagnostic,
} from '../diagnostics.ts';
import { located, type Managed, managedAs, spoken } from '../managed.ts';
import { byId } from '../people.ts';
import { planRecord } from '../planning/plan.ts';
import { withTimesAsBefore } from '../planning/reconcile.ts';
import { scheduleWarnings } from '../planning/schedule-warnings.ts';
import { encodeValue, Unknown, type Value } from '../protocol/value.ts';
import type { Connection, Session } from '../session.ts';
import { type RequestOf, type ResponseOf, received, sending } from './dynamic-value.ts';
import { failureDiagnostics } from './failures.ts';
import { readPrivateState, writePrivateState } from './private-state.ts';
import { unconfirmedKey } from './unconfirmed.ts';

export async function planResource(
  { managed, connection }: Session,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const declared = managedAs(managed, request.type_name);
  const prior = received(declared.type, request.prior_state);
  const as = located(declared, prior);
  const { planned, replacing } = planRecord({
    attributes: as.attributes,
    prior,
    config: received(as.type, request.config),
    proposed: withTimesAsBefore(as.resource, prior, received(as.type, request.proposed_new_state)),
    fixed: ['team_id', ...as.parents],
    isOver: isOver(as, prior),
    teamId: connection?.teamId ?? new Unknown(),
  });
  const isMoved = replacing.includes('team_id');
  const isCreated = replacing.length > 0 || prior === null;
  const wrongTeam = isCreated ? await teamErrors({ prior, planned, connection }) : [];
  const priorPrivate = request.prior_private;
  return {
    planned_state: sending(as.type, planned),
    requires_replace: replacing.map((name) => ({ steps: [{ attribute_name: name }] })),
    planned_private:
      (await ending(as, { prior, planned, connection }, priorPrivate)) ?? priorPrivate,
    diagnostics:
      wrongTeam.length > 0
        ? wrongTeam
        : await (isMoved ? replaced : changed)(as, { prior, planned, connection }),
  };
}

const isOver = ({ resource: { endsAt } }: Managed, prior: Value) =>
  endsAt !== '' && Date.parse(String(fieldOf(prior, endsAt))) <= Date.now();

/**
 * For a record that left the configuration Terraform passes what was kept before the refresh, and
 * keeps that when its archiving fails: the version that a change by hand made would never be known.
 */
async function ending({ resource }: Managed, change: Change, priorPrivate: Uint8Array) {
  const { prior, planned, connection } = change;
  if (planned !== null || connection === null) return undefined;
  const id = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(id) !== undefined) return undefined;
  const read = await connection.records.read(resource, id);
  if (!read.ok) return undefined;
  return writePrivateState({ ...readPrivateState(priorPrivate), version: read.value.version });
}

/** The apply would archive what the record replaces, or create others, before it fails. */
async function teamErrors({ prior, planned, connection }: Change): Promise<Diagnostic[]> {
  const teamId = fieldOf(planned, 'team_id');
  if (typeof teamId !== 'string') return [];
  const active = await connection?.teams.isActive(teamId);
  if (active?.ok === true)
    return active.value ? [] : [errorDiagnostic(problemText(noTeam(teamId)))];
  // Nothing is archived for a new record: its plan needs no server.
  if (active === undefined || prior === null) return [];
  return failureDiagnostics(`read the team ${teamId}`, active.failure);
}

async function replaced({ resource }: Managed, { prior }: Change): Promise<Diagnostic[]> {
  const reason = 'A record never changes its team: this one is archived, and another is created.';
  const detail = [reason, resource.lostByReplacement].filter(Boolean).join(' ');
  const summary = `The ${spoken(resource, prior)} is replaced`;
  return [warningDiagnostic({ summary, detail, path: 'team_id' })];
}

const noTeam = (id: string): Problem => ({
  path: 'team_id',
  message: `names no active team ${id} that the API key may see`,
});

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
