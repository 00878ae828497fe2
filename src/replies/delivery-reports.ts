// What mail servers report of what they could not deliver. RFC 3464.
import { mailLimits } from '../limits/mail.ts';

export type DeliveryReport = {
  /** As in "failed", in lower case. */
  readonly action: string;
  /** As in "5.1.1". */
  readonly status: string;
  readonly recipient: string;
  /** What the server said; empty: nothing. */
  readonly diagnostic: string;
};

/** Of each recipient. `text`: of the part that programs read. */
export function deliveryReports(text: string): readonly DeliveryReport[] {
  const [, ...recipients] = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/);
  return recipients.slice(0, mailLimits.reportedRecipients).flatMap((group) => {
    const fields = fieldsIn(group);
    const [, status] = /^([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '') ?? [];
    if (status === undefined) return [];
    return [
      {
        action: (fields.get('action') ?? '').toLowerCase(),
        status,
        recipient: untyped(fields.get('final-recipient')),
        diagnostic: untyped(fields.get('diagnostic-code')),
      },
    ];
  });
}

/** By their names in lower case; a line that begins with a space goes on with the one before. */
function fieldsIn(group: string): ReadonlyMap<string, string> {
  const fields = group.replace(/\n[ \t]+/g, ' ').split('\n');
  return new Map(
    fields.flatMap((field): [string, string][] => {
      const colon = field.indexOf(':');
      return colon < 0
        ? []
        : [[field.slice(0, colon).trim().toLowerCase(), field.slice(colon + 1).trim()]];
    }),
  );
}

/** Without the type before it, such as `rfc822;` or `smtp;`. */
const untyped = (value = ''): string => value.slice(value.indexOf(';') + 1).trim();
