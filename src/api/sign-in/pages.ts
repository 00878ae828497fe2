// Pages that are made on the server: no script, nothing from elsewhere.
import { createHash } from 'node:crypto';
import { accessLimits } from '../../limits/access.ts';
import { escaped } from '../../notices/words/html.ts';
import { personName } from '../../resources/person-name.ts';
import type { PasswordLink } from '../../storage/people/password-links.ts';
import { returnQuery } from './return-path.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 24rem; margin: 12vh auto; padding: 0 1rem; }
label { display: block; margin: 1rem 0 0.25rem; }
input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.5rem; }
button { margin-top: 1.5rem; }
[role="alert"] { border-left: 0.25rem solid #c0392b; padding-left: 0.75rem; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  // Not `no-referrer`: with it, browsers send our own forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

type SigningIn = {
  readonly email?: string;
  /** Whether a lost password can be set anew by mail. */
  readonly areMailsSent?: boolean;
  readonly trouble?: string;
  /** The page to go to then, one of ours. */
  readonly next: string;
};

export function signInPage({ email = '', areMailsSent, trouble, next }: SigningIn): string {
  return page(
    'Sign in',
    `<h1>Pager</h1>
${alert(trouble)}
<form method="post" action="/auth/sign-in${escaped(returnQuery(next))}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required
 value="${escaped(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>${areMailsSent ? `\n<p>${LOST}</p>` : ''}`,
  );
}

const LOST = '<a href="/lost-password">Lost your password?</a>';

const alert = (trouble: string | undefined) =>
  trouble === undefined ? '' : `<p role="alert">${escaped(trouble)}</p>`;

type SettingPassword = {
  readonly token: string;
  readonly link: PasswordLink;
  readonly trouble?: string;
};

export function setPasswordPage({ token, link, trouble }: SettingPassword): string {
  const { email, organization, purpose } = link;
  const name = escaped(personName(link));
  const welcome =
    purpose === 'invitation'
      ? `<p>Welcome, ${name}. You are invited to ${escaped(organization)}.</p>`
      : `<p>For ${name} of ${escaped(organization)}. You are signed out everywhere else then.</p>`;
  return page(
    'Set a password',
    `<h1>Set a password</h1>
${welcome}
${alert(trouble)}
<form method="post" action="/set-password/${escaped(token)}">
<label for="email">E-mail</label>
<input id="email" type="email" autocomplete="username" value="${escaped(email)}" readonly>
<label for="password">New password, at least ${accessLimits.passwordMin} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required
 minlength="${accessLimits.passwordMin}" maxlength="${accessLimits.passwordMax}">
<button>Set the password and sign in</button>
</form>`,
  );
}

export const goneLinkPage = (areMailsSent: boolean): string =>
  page(
    'This link is no longer valid',
    `<h1>This link is no longer valid</h1>
<p>It was used, or a newer one was sent, or it has expired.</p>
<p>If you have a password, <a href="/sign-in">sign in</a>. ${
      areMailsSent ? `${LOST} Have another link sent.` : 'Else ask an admin for another link.'
    }</p>`,
  );

export const tooManyPage = (seconds: number): string =>
  page(
    'Too many tries',
    `<h1>Too many tries</h1>
<p>Try again in ${seconds < 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`}.</p>`,
  );

type LosingPassword = { readonly areMailsSent: boolean };

export const lostPasswordPage = ({ areMailsSent }: LosingPassword): string =>
  page(
    'Lost password',
    areMailsSent
      ? `<h1>Lost password</h1>
<p>A link that sets a new one is sent to your address.</p>
<form method="post" action="/auth/lost-password">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<button>Send the link</button>
</form>
<p><a href="/sign-in">Back to signing in</a></p>`
      : `<h1>Lost password</h1>
<p>This server sends no mail. An admin of your organisation can set a password for you; whoever
operates the server can, with <code>pagerctl reset-password</code>.</p>
<p><a href="/sign-in">Back to signing in</a></p>`,
  );

/** The same, whoever has the address. */
export const sentPasswordPage = (email: string): string =>
  page(
    'Look into your mail',
    `<h1>Look into your mail</h1>
<p>If somebody signs in here with ${escaped(email)}, a link is on its way to that address. It can be
used once, within ${accessLimits.resetMinutes} minutes. At most ${accessLimits.resetsAnHour} are sent in an hour.</p>
<p><a href="/sign-in">Back to signing in</a></p>`,
  );

type Home = {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly organization: string;
  readonly csrfToken: string;
};

export function homePage({ name, email, role, organization, csrfToken }: Home): string {
  return page(
    'Pager',
    `<h1>Pager</h1>
<p>Signed in as <strong>${escaped(name)}</strong> (${escaped(email)}), ${escaped(role)}
of ${escaped(organization)}.</p>
<p>The dashboard was not built. Where Pager was installed by npm, <code>npm ci</code> without
<code>--omit=dev</code> and then <code>npm start</code> build it. All else works: links in notices,
and the <a href="/docs">HTTP API</a>.</p>
<form method="post" action="/auth/sign-out">
<input type="hidden" name="csrf_token" value="${escaped(csrfToken)}">
<button>Sign out</button>
</form>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
