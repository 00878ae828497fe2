// What a test page is answered by, "I got it": a button of a chat, or a link whose page asks first, for
// mail programs open links by themselves. Buttons of notifications send the same request.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../engine/clock.ts';
import { type Digest, isProof } from '../../engine/proof.ts';
import {
  gotItHandle,
  gotItProof,
  gotItText,
  gotItTooLate,
  type TestedContact,
} from '../../replies/got-it.ts';
import { Refusal } from '../failures.ts';
import { linkExpiry } from '../incidents/links.ts';
import { htmlPage } from '../pages/page.ts';

const path = '/got-it';

/** What the buttons and the link of a test page carry. */
export function gotItOf(
  { organizationId, id }: TestedContact,
  { digest, publicUrl, now }: { digest: Digest; publicUrl: string; now: Temporal.Instant },
) {
  const linked = `${organizationId}.${id}.${linkExpiry(now).epochMilliseconds}`;
  return {
    handle: gotItHandle({ organizationId, id }, digest),
    link: `${publicUrl}${path}/${linked}.${gotItProof(linked, digest)}`,
  };
}

const linkPattern = /^(([0-9a-f]{24})\.([0-9a-f]{24})\.(\d{1,15}))\.([\w-]{22})$/;

/** Null: it is not ours, or no longer good. */
function readLink(text: string, digest: Digest, now: Temporal.Instant): TestedContact | null {
  const [, linked = '', organizationId = '', id = '', expires, sent = ''] =
    linkPattern.exec(text) ?? [];
  if (sent === '' || !isProof(sent, gotItProof(linked, digest))) return null;
  return Number(expires) > now.epochMilliseconds ? { organizationId, id } : null;
}

type GotItOptions = {
  readonly digest: Digest;
  readonly clock: Clock;
  /** Whether the contact is still used. */
  readonly record: (contact: TestedContact, now: Temporal.Instant) => Promise<boolean>;
};

export function mountGotIt(app: FastifyInstance, { digest, clock, record }: GotItOptions): void {
  const contactOf = ({ params }: FastifyRequest): TestedContact => {
    const { link } = params as { link: string };
    const contact = readLink(link, digest, clock.now());
    if (contact !== null) return contact;
    throw new Refusal('not_found', { message: 'This link is invalid or has expired.' });
  };
  void app.register((links, _options, done) => {
    links.removeAllContentTypeParsers();
    // The button sends an empty form; its content is of no interest.
    links.addContentTypeParser('*', { parseAs: 'string' }, async () => ({}));
    links.get(`${path}/:link`, (request, reply) => {
      contactOf(request);
      return htmlPage(reply, { title: 'Test page', body: confirmation });
    });
    links.post(`${path}/:link`, async (request, reply) => {
      if (!(await record(contactOf(request), clock.now())))
        throw new Refusal('not_found', { message: gotItTooLate });
      if (request.headers.accept === 'application/json')
        return { status: 'resolved', text: gotItText };
      return htmlPage(reply, {
        title: 'Test page',
        body: `<h1>Test page</h1>\n<p>${gotItText}</p>`,
      });
    });
    done();
  });
}

const confirmation = `<h1>Test page</h1>
<p>Nothing is wrong. Press the button to confirm that you received this page.</p>
<form method="post"><button type="submit" autofocus>I got it</button></form>`;
