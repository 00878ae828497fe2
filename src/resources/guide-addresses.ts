/** The addresses of one integration, or words in their place. */
export type GuideAddresses = {
  /** `<public url>/hooks/<token>/push-events`. */
  readonly url: string;
  readonly email: string;
};

/**
 * A text of a guide, in which `{url}` and `{email}` stand for the addresses of an integration,
 * `{origin}` for the address of the server and `{token}` for the token in `{url}`.
 */
export function withAddresses(
  text: string,
  { url, email }: GuideAddresses,
  shown = (value: string): string => value,
): string {
  const [origin = '', rest = ''] = url.split('/hooks/');
  const values = { url, email, origin, token: rest.replace(/\/.*/, '') };
  return text.replace(/\{(url|email|origin|token)\}/g, (_, name: keyof typeof values) =>
    shown(values[name]),
  );
}
