// Pages that have ended at one contact of a person go on to the next.
import { type Configurations, configurationIn } from '../../incidents/configuration.ts';
import { noticeEntry } from '../../incidents/notice-cancellation.ts';
import { addressesOf } from '../../incidents/target-recipients.ts';
import { maskedAddress } from '../../resources/masked-address.ts';
import { organizationsOf } from '../intake/decide.ts';
import type { ConfigurationReader } from '../ports/changes.ts';
import type { AttemptResult } from '../ports/sending.ts';
import { nextContact } from './retry-routes.ts';

/** With the contacts that the people have at this moment. */
export async function failOver(
  tx: ConfigurationReader,
  attempts: readonly AttemptResult[],
  now: Temporal.Instant,
): Promise<readonly AttemptResult[]> {
  const ended = attempts.filter(({ tried }) => tried !== undefined);
  if (ended.length === 0) return attempts;
  const organizations = organizationsOf(ended.map(({ claimed }) => claimed));
  const configurations = await tx.configurations(organizations, now);
  return attempts.map((attempt) => atNextContact(attempt, configurations, now));
}

/** The attempt as it is, if no contact is left. */
function atNextContact(
  attempt: AttemptResult,
  configurations: Configurations,
  now: Temporal.Instant,
): AttemptResult {
  const { claimed, tried, isUnconfirmed: _, ...result } = attempt;
  const last = tried?.at(-1);
  if (last === undefined || claimed.about !== 'incident' || claimed.user_id === null)
    return attempt;
  const { organization_id, user_id, channel, incident } = claimed;
  const configuration = configurationIn(configurations, organization_id);
  const nextAddress = nextContact(addressesOf(user_id, channel, configuration), tried ?? []);
  if (nextAddress === null) return attempt;
  const [here, next] = [maskedAddress(last.address), maskedAddress(nextAddress)];
  const text = last.isUnconfirmed
    ? `was sent to ${here}, but nothing confirms that it arrived: ${last.reason}; ${next} is tried next`
    : `did not arrive at ${here}: ${last.reason}; ${next} is tried next`;
  const details = attempt.entry?.details;
  return {
    ...result,
    claimed,
    tried: tried ?? [],
    nextAddress,
    state: 'pending',
    wakeAt: now,
    reason: `${last.reason} at ${here}`,
    entry: noticeEntry(claimed, incident, { type: 'notice_retry', text, details }),
  };
}
