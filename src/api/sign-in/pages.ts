// The pages of signing in.
import { accessLimits } from '../../limits/access.ts';
import { escaped } from '../../notices/words/html.ts';
import { personName } from '../../resources/person-name.ts';
import { counted } from '../../resources/plural.ts';
import type { PasswordLink } from '../../storage/people/password-links.ts';
import type { PageContent } from '../pages/page.ts';
import { passkeyScript, timeZoneScript } from '../pages/style.ts';
import { returnQuery } from './return-path.ts';

type SigningIn = {
  readonly email?: string;
  readonly trouble?: string;
  /** The page to go to then, one of ours. */
  readonly next: string;
  /** The address at which passkeys sign in; null: nobody has one. */
  readonly passkeysAt?: string | null;
};

export function signInPage(signingIn: SigningIn): PageContent {
  const { email = '', trouble, next, passkeysAt = null } = signingIn;
  const offer =
    passkeysAt &&
    `
<div class="offer" id="passkey" data-origin="${escaped(passkeysAt)}" data-next="${escaped(next)}" hidden>
<button type="button" class="button">Sign in with a passkey</button>
</div>`;
  const content = page(
    'Sign in',
    `${alert(trouble)}
<form method="post" action="/auth/sign-in${escaped(returnQuery(next))}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username${offer ? ' webauthn' : ''}" required
 value="${escaped(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>${offer ?? ''}
<p>${LOST}</p>
<p class="quiet">${NO_PASSWORD_YET}</p>`,
  );
  return offer ? { ...content, script: passkeyScript } : content;
}

export const CODE_PATH = '/sign-in/code';

type GivingCode = { readonly trouble?: string; readonly next: string };

export function codePage({ trouble, next }: GivingCode): PageContent {
  return page(
    'Enter your code',
    `<p class="second">Your app shows a new code every 30 seconds.</p>
${alert(trouble)}
<form method="post" action="/auth/sign-in-code${escaped(returnQuery(next))}">
<label for="code">Code, or a recovery code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
 maxlength="20" required autofocus>
<button>Sign in</button>
</form>
<p class="quiet">No code and no recovery code? The operator of this server can remove your second
factor.</p>
<p><a href="/sign-in${escaped(returnQuery(next))}">Sign in as someone else</a></p>`,
  );
}

const LOST = '<a href="/lost-password">Forgot your password?</a>';

/** Nobody could know by the answer to a form who has one. */
const NO_PASSWORD_YET =
  'If you have never set a password, ask an admin of your organization for an invitation.';

const alert = (trouble: string | undefined) =>
  trouble === undefined ? '' : `<p role="alert">${escaped(trouble)}</p>`;

type SettingPassword = {
  readonly token: string;
  readonly link: PasswordLink;
  readonly trouble?: string;
};

export function setPasswordPage({ token, link, trouble }: SettingPassword): PageContent {
  const { email, organization, purpose } = link;
  const name = escaped(personName(link));
  const welcome =
    purpose === 'invitation'
      ? `<p>Welcome, ${name}. You are invited to ${escaped(organization)}.</p>`
      : `<p>For ${name} at ${escaped(organization)}. You will be signed out everywhere else.</p>`;
  const isInvited = purpose === 'invitation';
  const content = page(
    'Set password',
    `${welcome}
${alert(trouble)}
<form method="post" action="/set-password/${escaped(token)}">
<label for="email">E-mail</label>
<input id="email" type="email" autocomplete="username" value="${escaped(email)}" readonly>
<label for="password">New password, at least ${accessLimits.passwordMin} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required
 minlength="${accessLimits.passwordMin}" maxlength="${accessLimits.passwordMax}">
${isInvited ? zoneField(link) : ''}<button>Set password and sign in</button>
</form>`,
  );
  return isInvited ? { ...content, script: timeZoneScript } : content;
}

/** A script proposes the browser's zone, unless one was chosen for the person before. */
function zoneField({ timezone, has_zone }: PasswordLink): string {
  const zones = new Set(['Etc/UTC', timezone, ...Intl.supportedValuesOf('timeZone')]);
  const options = [...zones].map(
    (zone) => `<option${zone === timezone ? ' selected' : ''}>${escaped(zone)}</option>`,
  );
  return `<label for="timezone">Time zone for your notices</label>
<select id="timezone" name="timezone"${has_zone ? ' data-chosen' : ''}>
${options.join('\n')}
</select>
`;
}

type SigningInByLink = { readonly token: string; readonly link: PasswordLink };

export const signInLinkPage = ({ token, link }: SigningInByLink): PageContent =>
  page(
    'Sign in by link',
    `<p>This link signs you in to ${escaped(link.organization)} as <strong>${escaped(personName(link))}</strong>
(${escaped(link.email)}). It works once.</p>
<form method="post" action="/sign-in-link/${escaped(token)}">
<button>Sign in</button>
</form>`,
  );

export const goneSignInLinkPage = (): PageContent =>
  page(
    'This link is no longer valid',
    `<p>It was used, a newer one was created, the password was changed, or it has expired. A link is valid for ${accessLimits.signInLinkMinutes} minutes.</p>
<p>Create another one on the server with <code>pagerctl sign-in-link</code>, or <a href="/sign-in">sign
in</a>.</p>`,
  );

export const goneLinkPage = (areMailsSent: boolean): PageContent =>
  page(
    'This link is no longer valid',
    `<p>It was used, a newer one was sent, or it has expired.</p>
<p>If you have a password, <a href="/sign-in">sign in</a>. ${
      areMailsSent ? `${LOST} Request another link. ` : ''
    }${NO_PASSWORD_YET}</p>`,
  );

export const tooManyPage = (seconds: number): PageContent =>
  page(
    'Too many attempts',
    `<p>Try again in ${counted(Math.max(1, Math.ceil(seconds / 60)), 'minute')}.</p>`,
  );

type LosingPassword = { readonly areMailsSent: boolean };

export const lostPasswordPage = ({ areMailsSent }: LosingPassword): PageContent =>
  page(
    'Reset password',
    areMailsSent
      ? `<p>Enter your address to get a link that sets a new password.</p>
<form method="post" action="/auth/lost-password">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<button>Send link</button>
</form>
<p class="quiet">${NO_PASSWORD_YET}</p>
<p><a href="/sign-in">Back to sign-in</a></p>`
      : `<p>E-mail is not set up on this server, so no link can be sent to you. An admin of your
organization can set a new password for you (<code>POST /users/:id/password</code>).</p>
<p>If you operate the server, run one of these commands on it:</p>
<ul>
<li><code>pagerctl reset-password &lt;e-mail&gt;</code> prints a new password.</li>
<li><code>pagerctl sign-in-link &lt;e-mail&gt;</code> prints a link that signs you in once.</li>
</ul>
<p><a href="/sign-in">Back to sign-in</a></p>`,
  );

/** The same, whoever has the address. */
export const sentPasswordPage = (email: string): PageContent =>
  page(
    'Check your e-mail',
    `<p>If ${escaped(email)} belongs to an account, a link is on its way to that address. It works once,
within ${accessLimits.resetMinutes} minutes. At most ${accessLimits.resetsAnHour} links are sent per hour.</p>
<p class="quiet">${NO_PASSWORD_YET}</p>
<p><a href="/sign-in">Back to sign-in</a></p>`,
  );

type Home = {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly organization: string;
  readonly csrfToken: string;
};

export function homePage({ name, email, role, organization, csrfToken }: Home): PageContent {
  return page(
    'Pager',
    `<p>Signed in as <strong>${escaped(name)}</strong> (${escaped(email)}), ${escaped(role)}
of ${escaped(organization)}.</p>
<p>The dashboard is not built. In Pager's folder on its server, run <code>npm ci</code> (without
<code>--omit=dev</code>), then start Pager with <code>npm start</code>: it builds the dashboard, or
prints why it cannot.</p>
<p>Everything else works: paging, the links in messages, and the <a href="/docs/api">HTTP API</a>.</p>
<form method="post" action="/auth/sign-out">
<input type="hidden" name="csrf_token" value="${escaped(csrfToken)}">
<button>Sign out</button>
</form>`,
  );
}

const page = (title: string, body: string): PageContent => ({
  title,
  body: `<h1>${title}</h1>\n${body}`,
});
