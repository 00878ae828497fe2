// How often codes and tests are sent, and how a refusal says when they are again.
import { accessLimits } from '../../limits/access.ts';
import { isNumberChannel, numberChannels, personalChannels } from '../../resources/channels.ts';
import { counted } from '../../resources/plural.ts';
import type { Wait } from '../../storage/people/contacts.ts';
import type { Quota } from '../../storage/people/unproved-sends.ts';
import { Refusal } from '../failures.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ofPerson: Quota = {
  of: 'person',
  kind: 'code',
  count: accessLimits.codesAnHour,
  seconds: HOUR,
  channels: personalChannels,
};
/** A call and an SMS cost something, and whoever owns a number may earn from it. */
const ofNumbers: readonly Quota[] = [
  {
    of: 'address',
    kind: 'code',
    count: accessLimits.codesToNumber,
    seconds: DAY,
    channels: numberChannels,
  },
  {
    of: 'organization',
    kind: 'code',
    count: accessLimits.codesOfOrganization,
    seconds: DAY,
    channels: numberChannels,
  },
];

export const codeQuotas = (channel: string): readonly Quota[] => [
  {
    of: 'contact',
    kind: 'code',
    count: 1,
    seconds: accessLimits.codePause * MINUTE,
    channels: [channel],
  },
  ofPerson,
  ...(isNumberChannel(channel) ? ofNumbers : []),
];

const testsOfPerson: Quota = {
  of: 'person',
  kind: 'test',
  count: accessLimits.testsAnHour,
  seconds: HOUR,
  channels: personalChannels,
};
const testsOfNumbers: readonly Quota[] = [
  {
    of: 'address',
    kind: 'test',
    count: accessLimits.testsToNumber,
    seconds: DAY,
    channels: numberChannels,
  },
  {
    of: 'organization',
    kind: 'test',
    count: accessLimits.testsOfOrganization,
    seconds: DAY,
    channels: numberChannels,
  },
];

export const testQuotas = (channel: string): readonly Quota[] =>
  isNumberChannel(channel) ? [testsOfPerson, ...testsOfNumbers] : [testsOfPerson];

export function quotaRefusal({ quota, until }: Wait, now: Temporal.Instant): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(until.since(now).total('seconds')));
  const message = `${reasonOf(quota)}: try again in ${waitText(retryAfterSeconds)}.`;
  return new Refusal('rate_limited', { message, retryAfterSeconds });
}

function reasonOf({ of, kind, count }: Quota): string {
  const what = kind === 'code' ? 'code' : 'test';
  switch (of) {
    case 'contact':
      return 'A code was just sent to this contact';
    case 'person':
      return kind === 'code'
        ? `You were sent ${count} codes within an hour, the maximum`
        : `This person was sent ${count} tests within an hour, the maximum`;
    case 'address':
      return `This number received ${counted(count, what)} within a day, the maximum`;
    case 'organization':
      return `Your organization sent ${counted(count, what)} to numbers within a day, the maximum`;
  }
}

/** Rounded up, so that nobody comes too early. */
function waitText(seconds: number): string {
  if (seconds < 120) return counted(seconds, 'second');
  if (seconds < 2 * HOUR) return counted(Math.ceil(seconds / 60), 'minute');
  return counted(Math.ceil(seconds / HOUR), 'hour');
}
