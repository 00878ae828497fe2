// The page of a link that `pagerctl sign-in-link` printed. Only its button acts, because programs that
// look at messages open the links in them.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { personName } from '../../resources/person-name.ts';
import { transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { takePasswordLink } from '../../storage/people/password-links.ts';
import { hasSecondFactor } from '../../storage/people/second-factors.ts';
import { activePerson, ensureAccount } from '../../storage/people/sign-ins.ts';
import { isForm, isFromBrowser, type SignInParts, show } from './forms.ts';
import { linkReader, type UsableLink } from './link-reader.ts';
import { CODE_PATH, goneSignInLinkPage, signInLinkPage } from './pages.ts';
import { signInLinkDigest } from './passwords/password-links.ts';
import { openSession } from './sessions/opening.ts';

export function mountSignInLink(app: FastifyInstance, parts: SignInParts): void {
  const { sql, secrets } = parts;
  const linkIn = linkReader(parts, {
    digestOf: (token) => signInLinkDigest(secrets.digest, token),
    gonePage: goneSignInLinkPage,
  });
  app.get('/sign-in-link/:token', async (request, reply) => {
    const usable = await linkIn(request, reply);
    return usable ? show(reply, 200, signInLinkPage(usable)) : reply;
  });
  app.post('/sign-in-link/:token', async (request, reply) => {
    if (isForm(request) || isFromBrowser(request)) parts.sameOrigin.checkOrigin(request.headers);
    const usable = await linkIn(request, reply);
    if (usable === null) return reply;
    const { user_id: id } = usable.link;
    const isTaken = await take(parts, request, usable);
    const person = isTaken ? await activePerson(sql, id) : null;
    if (person === null) return show(reply, 404, goneSignInLinkPage());
    // The link replaces the password, and not the second factor.
    if (await hasSecondFactor(sql, id)) {
      await parts.steps.begin(reply, id);
      return reply.redirect(CODE_PATH, 303);
    }
    await openSession(parts, { request, reply }, person);
    return reply.redirect('/', 303);
  });
}

/** Whether the link was still valid. Of several who use it at once, one gets it. */
function take(
  { sql, ids, clock, secrets }: SignInParts,
  { id: requestId }: FastifyRequest,
  { token, link }: UsableLink,
): Promise<boolean> {
  const { organization_id: organizationId, user_id: id } = link;
  const name = personName(link);
  const now = clock.now();
  return transact(sql, async (tx) => {
    if (!(await takePasswordLink(tx, signInLinkDigest(secrets.digest, token), now))) return false;
    await ensureAccount(tx, { id, name }, now);
    const actor = { kind: 'session', id, name };
    const act = { organizationId, teamIds: null, actor, requestId, now };
    await audit(tx, ids, { act, ...auditedUser, action: 'use_sign_in_link', id });
    return true;
  });
}
