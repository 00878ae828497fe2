// Which numbers the connections of an organization call and text.
import type { Problem } from '../declaration/resource.ts';
import { noPrefix, reasonAgainstNewNumber, reasonAgainstNumber } from '../phone-prefixes.ts';
import type { Settings } from './vendor.ts';

type Serving = {
  readonly enabled: boolean;
  readonly channels: readonly string[];
  readonly settings: Settings;
};

const noConnection = 'is not served by any channel connection: an admin must add one';

/** Why a number is not called or texted by any of these connections; null: it is. */
export const numberProblem = (
  connections: readonly Serving[],
  channel: string,
  number: string,
): Problem | null =>
  problemOf(connections, channel, (prefixes) => reasonAgainstNumber(number, prefixes));

/** The same of a number that is not proved yet. */
export const newNumberProblem = (
  connections: readonly Serving[],
  channel: string,
  number: string,
): Problem | null =>
  problemOf(connections, channel, (prefixes) => reasonAgainstNewNumber(number, prefixes));

function problemOf(
  connections: readonly Serving[],
  channel: string,
  reasonAgainst: (allowedPrefixes: readonly string[]) => string | null,
): Problem | null {
  const serving = connections.filter((each) => each.enabled && each.channels.includes(channel));
  if (serving.length === 0) return { path: 'channel', message: noConnection };
  const reasons = serving.map(({ settings }) => reasonAgainst(prefixesIn(settings)));
  if (reasons.includes(null)) return null;
  // Another connection may have refused it for a reason that says more.
  const message = reasons.find((reason) => reason !== noPrefix) ?? noPrefix;
  return { path: 'address', message };
}

export const prefixesIn = ({ allowed_prefixes }: Settings): readonly string[] =>
  Array.isArray(allowed_prefixes) ? allowed_prefixes : [];
