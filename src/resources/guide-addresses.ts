/** The addresses of one integration, or words in their place. */
export type GuideAddresses = { readonly url: string; readonly email: string };

/** A text of a guide, which has `{url}` and `{email}` where the addresses of an integration stand. */
export const withAddresses = (text: string, { url, email }: GuideAddresses): string =>
  text.replaceAll('{url}', () => url).replaceAll('{email}', () => email);
