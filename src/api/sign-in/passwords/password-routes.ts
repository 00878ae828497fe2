// The pages on which people set a password: invited, or because they lost theirs.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessLimits } from '../../../limits/access.ts';
import { objectOf, optional, text, zone } from '../../../resources/declaration/field.ts';
import { personName } from '../../../resources/person-name.ts';
import { transact } from '../../../storage/database/database.ts';
import { audit } from '../../../storage/organizations/audit.ts';
import { auditedUser } from '../../../storage/people/audited.ts';
import { takePasswordLink } from '../../../storage/people/password-links.ts';
import { hasSecondFactor } from '../../../storage/people/second-factors.ts';
import { setPassword } from '../../../storage/people/sign-ins.ts';
import { changeUserWithin, lockOrganization } from '../../../storage/people/users.ts';
import { Refusal } from '../../failures.ts';
import { createLimiter } from '../../http/limiter.ts';
import { networkOf } from '../../http/network.ts';
import { bake, isForm, isFromBrowser, readFields, type SignInParts, show } from '../forms.ts';
import { linkReader, type UsableLink } from '../link-reader.ts';
import {
  CODE_PATH,
  goneLinkPage,
  lostPasswordPage,
  sentPasswordPage,
  setPasswordPage,
  tooManyPage,
} from '../pages.ts';
import { passwordLinkDigest } from './password-links.ts';
import { hashPassword } from './passwords.ts';

const HOUR = 3_600;

export function mountPasswordPages(app: FastifyInstance, parts: SignInParts): void {
  mountSetPassword(app, parts);
  mountLostPassword(app, parts);
}

const passwordField = objectOf({
  password: text({
    doc: 'The password.',
    min: accessLimits.passwordMin,
    max: accessLimits.passwordMax,
  }),
  timezone: optional(zone('The time zone of the invited person.')),
});

function mountSetPassword(app: FastifyInstance, parts: SignInParts): void {
  const { sql, clock, secrets } = parts;
  const tries = createLimiter({
    clock,
    tries: accessLimits.passwordChanges,
    seconds: accessLimits.signInWindow,
  });
  const linkIn = linkReader(parts, {
    digestOf: (token) => passwordLinkDigest(secrets.digest, token),
    gonePage: async () => goneLinkPage(await parts.mails.areSent()),
  });
  app.get('/set-password/:token', async (request, reply) => {
    const usable = await linkIn(request, reply);
    return usable ? show(reply, 200, setPasswordPage(usable)) : reply;
  });
  app.post('/set-password/:token', async (request, reply) => {
    if (isForm(request) || isFromBrowser(request)) parts.sameOrigin.checkOrigin(request.headers);
    const usable = await linkIn(request, reply);
    if (usable === null) return reply;
    const wait = tries.take(usable.link.user_id);
    if (wait > 0) return show(reply.header('retry-after', wait), 429, tooManyPage(wait));
    const read = readFields(passwordField, request.body);
    if (!read.ok) {
      const isOfZone = read.problems.some(({ path }) => path === 'timezone');
      const trouble = isOfZone
        ? 'This time zone is unknown. Choose another one.'
        : `A password has ${accessLimits.passwordMin} to ${accessLimits.passwordMax} characters.`;
      return show(reply, 422, setPasswordPage({ ...usable, trouble }));
    }
    const password = String(read.value['password']);
    const timezone = read.value['timezone'];
    const chosen = typeof timezone === 'string' ? { timezone } : {};
    const accepted = { ...usable, ...chosen, password };
    if (!(await accept(parts, request, accepted)))
      return show(reply, 404, goneLinkPage(await parts.mails.areSent()));
    const { email, user_id } = usable.link;
    if (await hasSecondFactor(sql, user_id)) {
      await parts.steps.begin(reply, user_id);
      return reply.redirect(CODE_PATH, 303);
    }
    const userAgent = request.headers['user-agent'];
    bake(reply, (await parts.accounts.signIn({ email, password, userAgent })) ?? []);
    parts.browsers.remember(reply, email);
    return reply.redirect('/', 303);
  });
}

type Accepted = UsableLink & {
  readonly password: string;
  readonly timezone?: string;
};

/** Whether the link was still good. */
async function accept(
  { sql, ids, clock, secrets, mails }: SignInParts,
  { id: requestId }: FastifyRequest,
  { token, link, password, timezone }: Accepted,
): Promise<boolean> {
  const { organization_id: organizationId, user_id: id, first_name, last_name, email } = link;
  const name = personName(link);
  const passwordHash = await hashPassword(password);
  const now = clock.now();
  const isTaken = await transact(sql, async (tx) => {
    // Before the link, as whoever changes a person locks both.
    await lockOrganization(tx, organizationId);
    if (!(await takePasswordLink(tx, passwordLinkDigest(secrets.digest, token), now))) return false;
    await setPassword(tx, { user: { id, name }, passwordHash, ids, now });
    const actor = { kind: 'session', id, name };
    const act = { organizationId, teamIds: null, actor, requestId, now };
    // Before the audit log, for which writers of schedules wait while they hold people.
    if (link.purpose === 'invitation' && timezone !== undefined)
      await changeUserWithin(tx, { act, ids, id, change: (before) => ({ ...before, timezone }) });
    await audit(tx, ids, { act, ...auditedUser, action: 'set_password', id });
    return true;
  });
  if (isTaken && link.purpose === 'reset')
    mails.sendChanged({ organization_id: organizationId, id, first_name, last_name, email });
  return isTaken;
}

const emailField = objectOf({ email: text({ doc: 'The e-mail address of the person.' }) });
const NO_MAIL =
  'E-mail is not set up on this server. An admin can set a new password, or the operator of the ' +
  'server can run pagerctl reset-password or pagerctl sign-in-link on it.';

function mountLostPassword(app: FastifyInstance, { clock, mails, sameOrigin }: SignInParts): void {
  const networks = createLimiter({
    clock,
    tries: accessLimits.resetsPerNetwork,
    seconds: accessLimits.signInWindow,
  });
  const addresses = createLimiter({ clock, tries: accessLimits.resetsAnHour, seconds: HOUR });
  app.get('/lost-password', async (_request, reply) =>
    show(reply, 200, lostPasswordPage({ areMailsSent: await mails.areSent() })),
  );
  app.post('/auth/lost-password', async (request, reply) => {
    if (isForm(request) || isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    if (!(await mails.areSent())) {
      if (!isForm(request)) throw new Refusal('unavailable', { message: NO_MAIL });
      return show(reply, 503, lostPasswordPage({ areMailsSent: false }));
    }
    const read = readFields(emailField, request.body);
    if (!read.ok) throw new Refusal('validation_failed', { issues: read.problems });
    const email = String(read.value['email']);
    const wait = networks.take(networkOf(request.ip));
    // Whoever requests too many for an address of somebody else must not learn, or end, anything.
    const isRoom = wait > 0 || addresses.take(email.toLowerCase()) > 0 || mails.sendReset(email);
    const retryAfter = wait > 0 ? wait : isRoom ? 0 : 1;
    if (retryAfter > 0) {
      if (!isForm(request)) throw new Refusal('rate_limited', { retryAfterSeconds: retryAfter });
      return show(reply.header('retry-after', retryAfter), 429, tooManyPage(retryAfter));
    }
    if (!isForm(request)) return reply.code(202).send({});
    return show(reply, 202, sentPasswordPage(email));
  });
}
