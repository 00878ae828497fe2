// The two shift events as outbound webhooks are told of them. 6.2
import type { Static } from 'typebox';
import { choice, id, objectOf, text } from '../resources/field.ts';
import type { ShiftNotice } from './notice.ts';

const instant = (doc: string) => text({ doc, format: 'date-time' });

const eventTypes = ['oncall_shift_start', 'oncall_shift_end'] as const;

/** The one source of its shape. 6.2.2 */
export const shiftPayload = objectOf(
  {
    event_type: choice(eventTypes, { doc: 'What happened to the shift.' }),
    organization: objectOf({
      id: id('The organisation.'),
      name: text({ doc: 'Its name.' }),
    }),
    user: objectOf({
      id: id('Whose shift it is.'),
      firstName: text({ doc: 'Their first name.' }),
      lastName: text({ doc: 'Their last name.' }),
      email: text({ doc: 'Their e-mail address.' }),
    }),
    oncall: objectOf({
      id: id('The schedule.'),
      name: text({ doc: 'Its name.' }),
      url: text({ doc: 'Its page.', max: 2_048, format: 'uri' }),
      shift: objectOf({
        id: text({ doc: 'The shift: the same at its start and its end.' }),
        start: instant('When it began.'),
        end: instant('When it is to end, or has ended.'),
      }),
    }),
  },
  'The start or the end of an on-call shift.',
);
export type ShiftPayload = Static<typeof shiftPayload>;

export type ShiftRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a GET. */
  readonly body: string;
};

/** Null for what is no event: that somebody's future shifts have changed. */
export function shiftPayloadOf({
  kind,
  organization,
  url,
  story,
}: ShiftNotice): ShiftPayload | null {
  const { user, schedule, shift } = story;
  if (shift === null || kind === 'shift_change') return null;
  return {
    event_type: kind === 'shift_start' ? 'oncall_shift_start' : 'oncall_shift_end',
    organization: { id: organization.id, name: organization.name },
    user: {
      id: user.id,
      firstName: user.first_name,
      lastName: user.last_name,
      email: user.email,
    },
    oncall: {
      id: schedule.id,
      name: schedule.name,
      url,
      shift: { id: shift.id, start: timeText(shift.start), end: timeText(shift.end) },
    },
  };
}

/** As JSON in the body, whatever the webhook's `content_type`; by GET as query parameters. */
export function shiftRequestOf(
  payload: ShiftPayload,
  { method, url }: { readonly method: ShiftRequest['method']; readonly url: URL },
): ShiftRequest {
  if (method === 'GET') return { method, url: withQuery(url, payload), headers: {}, body: '' };
  const headers = { 'content-type': 'application/json' };
  return { method, url: url.href, headers, body: JSON.stringify(payload) };
}

/** What the address has already stays as it is written, unless it bears one of our names. */
function withQuery(url: URL, payload: ShiftPayload): string {
  const ours = new URLSearchParams([...dotted(payload)]);
  const written = url.search.slice(1).split('&').filter(Boolean);
  const kept = written.filter((part) => ![...new URLSearchParams(part).keys()].some(isOneOf(ours)));
  const asked = new URL(url);
  asked.search = [...kept, ours].join('&');
  return asked.href;
}

const isOneOf = (ours: URLSearchParams) => (name: string) => ours.has(name);

/** Each value under the names that lead to it: `oncall.shift.start`. */
function* dotted(value: object, prefix = ''): Generator<[string, string]> {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'object') yield* dotted(member, `${prefix}${name}.`);
    else yield [`${prefix}${name}`, String(member)];
  }
}

const timeText = (at: Temporal.Instant): string => at.toString({ fractionalSecondDigits: 3 });
