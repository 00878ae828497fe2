// The page of a link that `pagerctl sign-in-link` printed. Only its button acts: programs that look at
// links in messages open them, too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personName } from '../../resources/person-name.ts';
import { audit } from '../../storage/audit.ts';
import { transact } from '../../storage/database.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import {
  type PasswordLink,
  passwordLinkBy,
  takePasswordLink,
} from '../../storage/people/password-links.ts';
import { hasSecondFactor } from '../../storage/people/second-factors.ts';
import { activePerson, ensureAccount } from '../../storage/people/sign-ins.ts';
import { limitGuesses } from '../http/guesses.ts';
import { isForm, isFromBrowser, type SignInParts, show } from './forms.ts';
import { openSession } from './opening.ts';
import { CODE_PATH, goneSignInLinkPage, signInLinkPage, tooManyPage } from './pages.ts';
import { signInLinkDigest } from './password-links.ts';

export function mountSignInLink(app: FastifyInstance, parts: SignInParts): void {
  const { sql, clock, secrets } = parts;
  const linkOf = limitGuesses(
    (token) => passwordLinkBy(sql, signInLinkDigest(secrets.digest, token), clock.now()),
    { clock },
  );
  /** Null: its page is answered. */
  async function linkIn(request: FastifyRequest, reply: FastifyReply) {
    const { token } = request.params as { token: string };
    const link = await linkOf(token, request.ip);
    if (link === 'too_many') show(reply.header('retry-after', 1), 429, tooManyPage(1));
    else if (link === null) show(reply, 404, goneSignInLinkPage());
    else return { token, link };
    return null;
  }
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
    // The link is in the place of the password, and of nothing else.
    if (await hasSecondFactor(sql, id)) {
      await parts.steps.begin(reply, id);
      return reply.redirect(CODE_PATH, 303);
    }
    await openSession(parts, { request, reply }, person);
    return reply.redirect('/', 303);
  });
}

type Usable = { readonly token: string; readonly link: PasswordLink };

/** Whether the link was still good: of several who use it at once, one finds it. */
function take(
  { sql, ids, clock, secrets }: SignInParts,
  { id: requestId }: FastifyRequest,
  { token, link }: Usable,
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
