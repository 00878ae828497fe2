/** The addresses of one integration, or words in their place. */
export type GuideAddresses = {
  /** `<public url>/hooks/<token>/push-events`. */
  readonly url: string;
  readonly email: string;
};

/**
 * A text of a guide, in which `{url}` and `{email}` stand for the addresses of an integration,
 * `{origin}` for the address of the server, `{origin_scheme}` and `{origin_host}` for its parts, and `{token}` for
 * the token in `{url}`.
 */
export function withAddresses(
  text: string,
  { url, email }: GuideAddresses,
  shown = (value: string): string => value,
): string {
  const [origin = '', rest = ''] = url.split('/hooks/');
  const [, scheme = 'https', host = 'pager.example.com'] = /^(https?):\/\/(.+)$/.exec(origin) ?? [];
  const values = {
    url,
    email,
    origin,
    origin_scheme: scheme,
    origin_host: host,
    token: rest.replace(/\/.*/, ''),
  };
  return text.replace(
    /\{(url|email|origin|origin_scheme|origin_host|token)\}/g,
    (_, name: keyof typeof values) => shown(values[name]),
  );
}
