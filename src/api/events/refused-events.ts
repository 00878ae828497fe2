// Which refusals of events are noted for their integration, and as what.
import type { FastifyRequest } from 'fastify';
import type { Refusals, RefusedArrival } from '../../engine/intake/refusals.ts';
import { errorAnswer } from '../http/error-answer.ts';

/** What monitoring tools send; a picture or an archive is none of it. */
const ofTools = /^$|json|xml|form-urlencoded|text|octet-stream/i;

type Sender = Pick<RefusedArrival, 'organizationId' | 'integrationId' | 'slug' | 'integrationName'>;

type Failed = {
  readonly error: unknown;
  readonly request: Pick<FastifyRequest, 'headers' | 'id'>;
};

/** Called once the sender is known, of what is not stored as an event. */
export async function noteRefused(
  refusals: Pick<Refusals, 'note'>,
  { organizationId, integrationId, slug, integrationName }: Sender,
  { error, request }: Failed,
): Promise<void> {
  const { status, body } = errorAnswer(error, request.id);
  const isLost = ofTools.test(request.headers['content-type'] ?? '');
  const reason = lowered(body.message);
  const of = { organizationId, integrationId, slug, integrationName };
  await refusals.note({ ...of, source: 'http', status, reason, isLost });
}

/** As the rest of a sentence. */
const lowered = (message: string): string =>
  `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/\.$/, '');
