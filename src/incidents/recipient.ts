// Whom a notice is for, and by which schedule: a name and a route, which only people read together.

export type Recipient = {
  /** The name of the person or chat; null: it needs none. */
  readonly recipient: string | null;
  /** How the person came to be meant, such as "on call of Payments"; absent: they are named. */
  readonly route?: string | null | undefined;
};

const BEGINS = 'on call of ';

export const routeThrough = (schedule: string, isByOverride: boolean): string =>
  `${BEGINS}${schedule}${isByOverride ? ', by an override' : ''}`;

/** As people read it: "Ada Example (on call of Payments)". */
export const shownRecipient = ({ recipient, route }: Recipient): string =>
  recipient !== null && route ? `${recipient} (${route})` : (recipient ?? '');

/**
 * Earlier releases stored both in the name: they are taken apart, so that nobody acts under
 * the name of a schedule. Links cut a long name, so the end may be missing.
 */
export function apart<Of extends Recipient>(stored: Of): Of {
  const { recipient, route } = stored;
  const at = recipient?.lastIndexOf(` (${BEGINS}`) ?? -1;
  if (recipient === null || route || at <= 0) return stored;
  const own = recipient.slice(at + ' ('.length).replace(/\)$/, '');
  return { ...stored, recipient: recipient.slice(0, at), route: own };
}
