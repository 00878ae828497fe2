// Edits by the rules of release 0.1.0, for as long as a server of it may be connected: it does not
// know of turns that an edit made longer than the others. This file goes away with the second release
// after this one (docs/decisions/0094-who-is-inactive.md).
import { type Anchor, anchorOf, boundaryIn, turnsOf } from '../rotation.ts';
import { modulo } from '../wall-clock.ts';
import { zoneOf } from '../zone.ts';
import { isSameRotation, type LayerChange } from './content.ts';
import { sameTurn } from './succession.ts';

/** A changed rotation begins anew with the person who is on; or else the first user is on now. */
export function formerAnchor({ was, from, layer, to }: LayerChange, now: Temporal.Instant): Anchor {
  const numbered = (turn: number) => modulo(turn, layer.users.length);
  const turnAt = (anchor: Anchor, timezone: string) =>
    turnsOf({ ...was.rotation, anchor }, zoneOf(timezone))(now.epochMilliseconds).index;
  const running = modulo(turnAt(was.anchor, from), was.users.length);
  const holder = sameTurn(was.users, running, layer.users);
  if (!isSameRotation(was.rotation, layer.rotation)) {
    const { at, turn } = anchorOf(layer.rotation, to, now);
    return { at, turn: numbered(holder + turn) };
  }
  const at =
    from === to ? was.anchor.at : boundaryIn({ ...was.rotation, anchor: was.anchor }, from, to);
  return { at, turn: numbered(holder - turnAt({ at, turn: 0 }, to)) };
}
