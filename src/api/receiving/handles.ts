// What a button of a message carries: what it does to which incident, and a proof that it is ours.
// Whoever presses it is known by their contact, not by the handle.
import { timingSafeEqual } from 'node:crypto';
import type { Incident } from '../../incidents/incident.ts';

type Digest = (text: string) => Buffer;

const letters = { acknowledge: 'a', resolve: 'r', escalate: 'e', unacknowledge: 'u' } as const;
export type HandleAction = keyof typeof letters;

export type Handle = {
  readonly action: HandleAction;
  readonly incidentId: string;
  /** How far the incident had escalated: a button escalates no further than what it shows. */
  readonly at: { readonly cycle: number; readonly nextStep: number };
};

const proofBytes = 16;

/** At most 64 bytes, as Telegram allows. */
export function handleText(
  { action, incident }: { readonly action: HandleAction; readonly incident: HandledIncident },
  digest: Digest,
): string {
  const { id, organization_id, escalation } = incident;
  const payload = `${letters[action]}${id}.${escalation.cycle}.${escalation.nextStep}`;
  return `${payload}.${proof(organization_id, payload, digest)}`;
}

type HandledIncident = Pick<Incident, 'id' | 'organization_id'> & {
  readonly escalation: Pick<Incident['escalation'], 'cycle' | 'nextStep'>;
};

const proof = (organizationId: string, payload: string, digest: Digest) =>
  digest(`handle ${organizationId} ${payload}`).subarray(0, proofBytes).toString('base64url');

/** Null: it is not ours, or another organisation's. */
export function readHandle(organizationId: string, text: string, digest: Digest): Handle | null {
  const match = /^(([areu])([0-9a-f]{24})\.(\d{1,9})\.(\d{1,4}))\.([\w-]{22})$/.exec(text);
  if (match === null) return null;
  const [, payload = '', letter, incidentId = '', cycle, nextStep, sentProof = ''] = match;
  const right = Buffer.from(proof(organizationId, payload, digest));
  if (!timingSafeEqual(right, Buffer.from(sentProof))) return null;
  const action = (Object.keys(letters) as HandleAction[]).find((name) => letters[name] === letter);
  if (action === undefined) return null;
  return { action, incidentId, at: { cycle: Number(cycle), nextStep: Number(nextStep) } };
}
