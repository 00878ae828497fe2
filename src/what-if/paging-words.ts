// What changes for whom events page, as parts of a sentence.
import type { Paged, Recipient } from './paging.ts';

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
  if (was === is) return `page ${is} first, as before, then ${isLater} instead of ${wasLater}`;
  const added = after.first.filter((one) =>
    before.first.every(({ id, name }) => id !== one.id || name !== one.name),
  );
  const isAdded =
    before.first.length > 0 && added.length === after.first.length - before.first.length;
  if (isAdded) return `page ${names(added)} in addition to ${was}`;
  const isPart = before.first.length === 0 || isSameLater;
  return `page ${is} instead of ${was}${isPart ? '' : `, then ${isLater} instead of ${wasLater}`}`;
}

/** Whoever is on call now may not be when an event arrives. */
const nameOf = ({ name, route }: Recipient, isTimed: boolean): string =>
  isTimed && route !== null ? `whoever is ${route}` : name;

export const policyChangeText = (before: string, after: string): string =>
  `use the escalation policy ${JSON.stringify(after)} instead of ${JSON.stringify(before)}. Whom they page now does not change`;
