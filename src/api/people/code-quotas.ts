// How often codes and tests are sent, and how a refusal says when they are again.
import { accessLimits } from '../../limits/access.ts';
import { personalChannels } from '../../resources/channels.ts';
import { isNumberChannel } from '../../resources/connections/numbers.ts';
import { counted } from '../../resources/plural.ts';
import type { Wait } from '../../storage/people/contacts.ts';
import type { Quota } from '../../storage/people/unproved-sends.ts';
import type { Secrets } from '../../storage/secrets.ts';
import { Refusal } from '../failures.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const ofPerson: Quota = {
  ...{ of: 'person', kind: 'code', count: accessLimits.codesAnHour, seconds: HOUR },
  channels: personalChannels,
};
/** A call and an SMS cost something, and whoever owns a number may earn from it. */
const numberChannels = personalChannels.filter(isNumberChannel);
const ofNumbers: readonly Quota[] = [
  {
    ...{ of: 'address', kind: 'code', count: accessLimits.codesToNumber, seconds: DAY },
    channels: numberChannels,
  },
  {
    ...{ of: 'organization', kind: 'code', count: accessLimits.codesOfOrganization, seconds: DAY },
    channels: numberChannels,
  },
];

export const codeQuotas = (channel: string): readonly Quota[] =>
  isNumberChannel(channel) ? [ofPerson, ...ofNumbers] : [ofPerson];

/** The same for everybody who adds the address. */
export const addressDigest = ({ digest }: Pick<Secrets, 'digest'>, address: string) =>
  digest(`address ${address.toLowerCase()}`);

export function quotaRefusal({ quota, until }: Wait, now: Temporal.Instant): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(until.since(now).total('seconds')));
  const message = `${reasonOf(quota)}: try again in ${waitText(retryAfterSeconds)}.`;
  return new Refusal('rate_limited', { message, retryAfterSeconds });
}

function reasonOf(quota: Quota | null): string {
  if (quota === null) return 'A code was sent to this contact just now';
  switch (quota.of) {
    case 'person':
      if (quota.kind === 'test')
        return `${quota.count} tests were sent to this person within an hour, as many as to any`;
      return `You were sent ${quota.count} codes within an hour, as many as one person is`;
    case 'address':
      return `${quota.count} codes went to this number within a day, as many as to any number`;
    case 'organization':
      return `Your organisation sent ${quota.count} codes to numbers within a day, as many as it may`;
  }
}

/** Rounded up, so that nobody comes too early. */
function waitText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  if (seconds < 2 * HOUR) return counted(Math.ceil(seconds / 60), 'minute');
  return counted(Math.ceil(seconds / HOUR), 'hour');
}
