// What changes for whom events page, as parts of a sentence.
import { keyOf, type Paged, type Recipient } from './paging.ts';

/** As many are named. */
const NAMED = 5;

export function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  const shown = [...names.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return new Intl.ListFormat('en').format(shown);
}

/** `Events of the integration "Prometheus" that match the rule "Quiet"` */
export function eventsText(integrations: readonly string[], events: string): string {
  const names = listed(integrations.map((name) => JSON.stringify(name)));
  return `Events of the ${integrations.length === 1 ? 'integration' : 'integrations'} ${names}${events}`;
}

/** `page Grace instead of Ada, then Lin instead of nobody` */
export function changeText(before: Paged, after: Paged, isTimed: boolean): string {
  const names = (recipients: readonly Recipient[]) =>
    recipients.length === 0 ? 'nobody' : listed(recipients.map((one) => nameOf(one, isTimed)));
  const [was, is] = [names(before.first), names(after.first)];
  const [wasLater, isLater] = [names(before.later), names(after.later)];
  const isSameLater = wasLater === isLater;
  if (after.first.length === 0) {
    const then = after.later.length > 0 ? ` They page ${isLater} later` : '';
    const stopped = was === is ? `page ${is}` : `page ${is} instead of ${was}`;
    return `${stopped}: ${after.reason}${then && `.${then}`}`;
  }
  const added = without(after.first, before.first);
  const removed = without(before.first, after.first);
  if (added.length + removed.length === 0)
    return `page ${is} first, as before, then ${isLater} instead of ${wasLater}`;
  if (removed.length === 0 && before.first.length > 0)
    return `page ${names(added)} in addition to ${was}`;
  if (added.length === 0) return `no longer page ${names(removed)}, only ${is}`;
  const isPart = before.first.length === 0 || isSameLater;
  return `page ${is} instead of ${was}${isPart ? '' : `, then ${isLater} instead of ${wasLater}`}`;
}

const without = (recipients: readonly Recipient[], others: readonly Recipient[]) =>
  recipients.filter((one) => others.every((other) => keyOf(other) !== keyOf(one)));

/** Whoever is on call now may not be when an event arrives. */
const nameOf = ({ name, route }: Recipient, isTimed: boolean): string =>
  isTimed && route !== null ? `whoever is ${route}` : name;

export const policyChangeText = (before: string, after: string): string =>
  `use the escalation policy ${JSON.stringify(after)} instead of ${JSON.stringify(before)}. Whom they page now does not change`;
