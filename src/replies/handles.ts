// What a button of a message carries: what it does to which incident, and a proof that it is ours.
// Whoever presses it is known by their contact, not by the handle.
import { type Digest, isProof, proofOf } from '../engine/proof.ts';
import type { Incident } from '../incidents/incident.ts';
import type { Runnable } from './chat-commands.ts';

const letters = {
  acknowledge: 'a',
  resolve: 'r',
  escalate: 'e',
  unacknowledge: 'u',
  webhook: 'w',
  playbook: 'p',
} as const;
export type HandleAction = Exclude<keyof typeof letters, Runnable>;

export type Handle = {
  /** Of an option of a menu: what it lists. */
  readonly action: HandleAction | Runnable;
  readonly incidentId: string;
  readonly at: Position;
};

/** How far an incident has escalated. */
export type Position = Pick<Incident['escalation'], 'cycle' | 'nextStep'>;

/**
 * Whether an incident has escalated since it was shown or read out: a button or a key escalates no
 * further than its person saw. Steps that were withdrawn run again, and are not further.
 */
export const hasEscalated = (since: Position, { escalation }: Pick<Incident, 'escalation'>) =>
  escalation.cycle !== since.cycle || escalation.nextStep > since.nextStep;

/** At most 64 bytes, as Telegram allows. */
export function handleText(
  { action, incident }: Pick<Handle, 'action'> & { readonly incident: HandledIncident },
  digest: Digest,
): string {
  const { id, organization_id, escalation } = incident;
  const payload = `${letters[action]}${id}.${escalation.cycle}.${escalation.nextStep}`;
  return `${payload}.${proof(organization_id, payload, digest)}`;
}

type HandledIncident = Pick<Incident, 'id' | 'organization_id'> & {
  readonly escalation: Position;
};

const actions = Object.keys(letters) as (keyof typeof letters)[];

const proof = (organizationId: string, payload: string, digest: Digest) =>
  proofOf(`handle ${organizationId} ${payload}`, digest);

/** Null: it is not ours, or another organization's. */
export function readHandle(organizationId: string, text: string, digest: Digest): Handle | null {
  const match = /^(([areuwp])([0-9a-f]{24})\.(\d{1,9})\.(\d{1,4}))\.([\w-]{22})$/.exec(text);
  if (match === null) return null;
  const [, payload = '', letter, incidentId = '', cycle, nextStep, sentProof = ''] = match;
  if (!isProof(sentProof, proof(organizationId, payload, digest))) return null;
  const action = actions.find((name) => letters[name] === letter);
  if (action === undefined) return null;
  return { action, incidentId, at: { cycle: Number(cycle), nextStep: Number(nextStep) } };
}

/** What an entry of a list carries: what of a team it runs on which incident. */
export type RunHandle = {
  readonly what: Runnable;
  readonly incidentId: string;
  readonly id: string;
};

/** At most 75 bytes, as Slack allows. */
export function runHandleText(
  organizationId: string,
  { what, incidentId, id }: RunHandle,
  digest: Digest,
): string {
  const payload = `${letters[what]}${incidentId}.${id}`;
  return `${payload}.${proof(organizationId, payload, digest)}`;
}

/** Null: it is not ours, or another organization's. */
export function readRunHandle(
  organizationId: string,
  text: string,
  digest: Digest,
): RunHandle | null {
  const match = /^(([wp])([0-9a-f]{24})\.([0-9a-f]{24}))\.([\w-]{22})$/.exec(text);
  if (match === null) return null;
  const [, payload = '', letter, incidentId = '', id = '', sentProof = ''] = match;
  if (!isProof(sentProof, proof(organizationId, payload, digest))) return null;
  return { what: letter === 'w' ? 'webhook' : 'playbook', incidentId, id };
}
