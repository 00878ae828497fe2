// Pages that are made on the server: no script, nothing from elsewhere.
import { createHash } from 'node:crypto';
import { escaped } from '../../notices/words/html.ts';
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
  readonly trouble?: string;
  /** The page to go to then, one of ours. */
  readonly next: string;
};

export function signInPage({ email = '', trouble, next }: SigningIn): string {
  return page(
    'Sign in',
    `<h1>Pager</h1>
${trouble === undefined ? '' : `<p role="alert">${escaped(trouble)}</p>`}
<form method="post" action="/auth/sign-in${escaped(returnQuery(next))}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required
 value="${escaped(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`,
  );
}

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
