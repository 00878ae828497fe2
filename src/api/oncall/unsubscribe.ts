// The link in an e-mail about shifts that turns such e-mails off. Mail programs send its request by
// themselves when their reader unsubscribes (RFC 8058); whoever opens it is asked first.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Digest, isProof, proofOf } from '../../engine/proof.ts';
import { Refusal } from '../failures.ts';
import { htmlPage } from '../pages/page.ts';

const path = '/unsubscribe';

export type Subscriber = { readonly organizationId: string; readonly userId: string };

const proof = (payload: string, digest: Digest) => proofOf(`unsubscribe ${payload}`, digest);

/** It lasts: whoever finds an old e-mail can still use it. */
export function unsubscribeLink(
  { organizationId, userId }: Subscriber,
  { digest, publicUrl }: { readonly digest: Digest; readonly publicUrl: string },
): string {
  const payload = `${organizationId}.${userId}`;
  return `${publicUrl}${path}/${payload}.${proof(payload, digest)}`;
}

/** Null: it is not ours. */
function readLink(text: string, digest: Digest): Subscriber | null {
  const [, payload = '', organizationId = '', userId = '', sent = ''] =
    /^(([0-9a-f]{24})\.([0-9a-f]{24}))\.([\w-]{22})$/.exec(text) ?? [];
  return isProof(sent, proof(payload, digest)) ? { organizationId, userId } : null;
}

type UnsubscribeOptions = {
  readonly digest: Digest;
  /** Whether the person is still active. */
  readonly unsubscribe: (subscriber: Subscriber, requestId: string) => Promise<boolean>;
};

export function mountUnsubscribe(
  app: FastifyInstance,
  { digest, unsubscribe }: UnsubscribeOptions,
): void {
  const notGood = { message: 'This link is invalid.' };
  const subscriberOf = ({ params }: FastifyRequest): Subscriber => {
    const { link } = params as { link: string };
    const subscriber = readLink(link, digest);
    if (subscriber !== null) return subscriber;
    throw new Refusal('not_found', notGood);
  };
  void app.register((links, _options, done) => {
    links.removeAllContentTypeParsers();
    // What mail programs send is always the same; their link says all of it.
    links.addContentTypeParser('*', { parseAs: 'string' }, async () => ({}));
    links.get(`${path}/:link`, (request, reply) => {
      subscriberOf(request);
      return htmlPage(reply, { title: heading, body: confirmation });
    });
    links.post(`${path}/:link`, async (request, reply) => {
      if (!(await unsubscribe(subscriberOf(request), request.id)))
        throw new Refusal('not_found', notGood);
      return htmlPage(reply, {
        title: heading,
        body: `<h1>${heading}</h1>\n<p>${unsubscribed}</p>`,
      });
    });
    done();
  });
}

const heading = 'E-mails about your shifts';
const unsubscribed =
  'You no longer get e-mails about your shifts. You can turn them on again in Pager, under Me.';
const confirmation = `<h1>${heading}</h1>
<p>If you turn them off, you no longer get an e-mail when your shifts start, end or change. You still get pages.</p>
<form method="post"><button type="submit" autofocus>Turn off e-mails</button></form>`;
