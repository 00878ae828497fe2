// One call of an outbound webhook, of an incident or a shift, as an HTTP request.

/** The content, as it was written for the first try: every later try sends the same bytes. */
export type CallContent = {
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly body: string;
};

/** How an outbound webhook is called, beside its address. */
export type WebhookCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Those that people set; calls of shifts have none. 6.2.4 */
  readonly headers: Readonly<Record<string, string>>;
  /** What it is signed with, as Standard Webhooks writes secrets: one, or two in a rotation. */
  readonly secrets: readonly string[];
};

export type Call = {
  readonly organizationId: string;
  readonly about: 'incident' | 'shift';
  /** The same for every attempt at this call. */
  readonly key: string;
  /** Lets a recipient recognise a repeated delivery: a call that is sent again keeps it. */
  readonly messageId: string;
  readonly webhook: WebhookCall;
  readonly content: CallContent;
};

export type CallRequest = {
  readonly url: string;
  readonly method: WebhookCall['method'];
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the call carries none. */
  readonly body: string;
};

/** An incident is the body of a POST alone; a shift is that of a PUT too, and a GET's query. */
export function callRequestOf({ about, webhook, content }: Call, url: URL): CallRequest {
  const { method } = webhook;
  const headers = about === 'incident' ? webhook.headers : {};
  const hasBody = method === 'POST' || (method === 'PUT' && about === 'shift');
  if (hasBody) {
    const typed = { ...headers, 'content-type': content.type };
    return { method, url: url.href, headers: typed, body: content.body };
  }
  const callUrl = about === 'shift' ? withQuery(url, JSON.parse(content.body)) : url.href;
  return { method, url: callUrl, headers, body: '' };
}

/** What the address has already stays as it is written, unless it bears one of our names. */
function withQuery(url: URL, payload: object): string {
  const ours = new URLSearchParams([...dotted(payload)]);
  const written = url.search.slice(1).split('&').filter(Boolean);
  const others = written.filter(
    (part) => ![...new URLSearchParams(part).keys()].some(isOneOf(ours)),
  );
  const callUrl = new URL(url);
  callUrl.search = [...others, ours].join('&');
  return callUrl.href;
}

const isOneOf = (ours: URLSearchParams) => (name: string) => ours.has(name);

/** Each value under the names that lead to it: `oncall.shift.start`. */
function* dotted(value: object, prefix = ''): Generator<[string, string]> {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object') yield* dotted(member, `${prefix}${name}.`);
    else yield [`${prefix}${name}`, String(member)];
  }
}
