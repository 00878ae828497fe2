// The link in the address of a page: the pages that set a password and that sign in share it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PasswordLink, passwordLinkBy } from '../../storage/people/password-links.ts';
import { limitGuesses } from '../http/guesses.ts';
import type { PageContent } from '../pages/page.ts';
import { type SignInParts, show } from './forms.ts';
import { tooManyPage } from './pages.ts';

export type UsableLink = { readonly token: string; readonly link: PasswordLink };

type LinkKind = {
  readonly digestOf: (token: string) => Uint8Array;
  /** Of a link that is not valid, or not any more. */
  readonly gonePage: () => PageContent | Promise<PageContent>;
};

/** Null: the reply has a page that says why there is no link. */
export function linkReader({ sql, clock }: SignInParts, { digestOf, gonePage }: LinkKind) {
  const linkOf = limitGuesses((token) => passwordLinkBy(sql, digestOf(token), clock.now()), {
    clock,
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<UsableLink | null> => {
    const { token } = request.params as { token: string };
    const link = await linkOf(token, request.ip);
    if (link === 'too_many') show(reply.header('retry-after', 1), 429, tooManyPage(1));
    else if (link === null) show(reply, 404, await gonePage());
    else return { token, link };
    return null;
  };
}
