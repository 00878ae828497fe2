// Messages of Amazon SNS, as they come: those whose signature is not of it are refused, and
// subscriptions are confirmed (docs/decisions/0058-amazon-sns.md).
import type { IntegrationType } from '../../alerts/integration-type.ts';
import {
  envelopeIn,
  mayBeEnvelope,
  type Signature,
  type SnsClient,
  signatureHeader,
  signatureText,
  storedEnvelope,
} from '../../alerts/sns.ts';
import type { Log } from '../../engine/log.ts';
import { Refusal } from '../failures.ts';

type Parts = { readonly sns: SnsClient; readonly log: Log };
type Integration = { readonly organizationId: string; readonly integrationId: string };

type Received = {
  /** What is stored of its signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is stored of the body. */
  readonly body: Buffer;
  /** To be called once the event is stored. Throws a refusal if its sender has to send it again. */
  readonly finish: () => Promise<void>;
};

/** Whatever its type, an integration may be subscribed to a topic. */
export const comesThroughSns = (
  type: IntegrationType | undefined,
  body: Uint8Array | null,
): boolean =>
  type?.envelope === 'sns' ||
  (body !== null && mayBeEnvelope(body) && envelopeIn(body) !== undefined);

export async function receiveFromSns(
  { sns, log }: Parts,
  { organizationId, integrationId }: Integration,
  body: Buffer,
): Promise<Received> {
  const envelope = envelopeIn(body);
  const signature: Signature = envelope
    ? await sns.checkSignature(envelope, organizationId)
    : { result: 'absent', reason: 'the message has no envelope' };
  const { type, fields } = envelope ?? {};
  const about = { integration_id: integrationId, topic: fields?.['TopicArn'] };
  if (signature.result === 'bad') {
    const { reason } = signature;
    log.warn({ ...about, reason }, 'an event was refused: its signature is not from Amazon SNS');
    throw new Refusal('forbidden', {
      message: `The signature is not from Amazon SNS: ${signature.reason}.`,
    });
  }
  const finish = async () => {
    if (!envelope || type !== 'SubscriptionConfirmation' || signature.result === 'absent') return;
    const trouble =
      signature.result === 'good'
        ? await sns.confirm(envelope, organizationId)
        : `its signature could not be checked: ${signature.reason}`;
    if (trouble === null) return;
    log.warn({ ...about, reason: trouble }, 'a subscription to Amazon SNS was not confirmed');
    throw new Refusal('unavailable', {
      message: `The subscription could not be confirmed (${trouble}). Send it again.`,
      retryAfterSeconds: 20,
    });
  };
  const stored = envelope ? Buffer.from(JSON.stringify(storedEnvelope(envelope, signature))) : body;
  return { body: stored, headers: { [signatureHeader]: signatureText(signature) }, finish };
}
