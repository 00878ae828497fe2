// Which claimed notices go out as one message: each alone, or several pages to one contact together.
import { isTaken, type ReportedDelivery } from './channel.ts';
import type { Claimed, ClaimedIncidentNotice } from './claimed.ts';
import { attemptsElsewhere } from './retry-routes.ts';

/** What one message contains. */
export type Message = readonly [Claimed, ...ClaimedIncidentNotice[]];

/** Whether these pages, which were claimed together for one contact, go out as one message. */
export type Fold = (pages: readonly ClaimedIncidentNotice[]) => boolean;

/** A retry is never folded: its vendor may be asked about the attempt before. */
const isFoldable = (claimed: Claimed): claimed is ClaimedIncidentNotice =>
  claimed.about === 'incident' &&
  claimed.kind === 'page' &&
  claimed.attempt - attemptsElsewhere(claimed.tried) === 1;

/** In their order: a message goes out in the place of its first notice. */
export function messagesOf(claimed: readonly Claimed[], fold?: Fold): readonly Message[] {
  if (fold === undefined) return claimed.map((one): Message => [one]);
  const pages = Map.groupBy(claimed.filter(isFoldable), contactOf);
  const folded = new Map([...pages].filter(([, own]) => own.length > 1 && fold(own)));
  return claimed.flatMap((one): readonly Message[] => {
    const own = isFoldable(one) ? folded.get(contactOf(one)) : undefined;
    if (own === undefined) return [[one]];
    return own[0] === one ? [[one, ...own.slice(1)]] : [];
  });
}

const contactOf = ({ organization_id, recipient_key }: Claimed) =>
  `${organization_id} ${recipient_key}`;

/**
 * The result of each notice in a message. One message is counted once, and no change of one incident may
 * edit it. The vendor's receipt names the first notice: for the others, the vendor is asked when their
 * receipt is due, as it is for a receipt that was lost.
 */
export function deliveriesOf(
  message: Message,
  delivery: ReportedDelivery,
): readonly { readonly claimed: Claimed; readonly delivery: ReportedDelivery }[] {
  const [claimed, ...folded] = message;
  if (folded.length === 0 || !isTaken(delivery))
    return message.map((one) => ({ claimed: one, delivery }));
  const { posted: _posted, ...first } = delivery;
  const { counted: _counted, ...others } = first;
  return [
    { claimed, delivery: first },
    ...folded.map((one) => ({ claimed: one, delivery: others })),
  ];
}
