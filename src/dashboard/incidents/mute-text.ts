import { once } from '../../resources/once.ts';
import { words } from '../incident/words.ts';
import { clock } from '../ui/clock-time.ts';
import type { Mute } from './mutes.ts';

const format = once(() => new Intl.DateTimeFormat(undefined, clock));

/** For how long it is. */
export function muteText(mute: Mute): string {
  switch (mute.type) {
    case 'minutes':
    case 'hours':
      return words.muteFor[mute.type](mute.count);
    case 'until':
      return words.muteFor.until(format().format(mute.until));
    case 'forGood':
      return words.muteFor.forGood;
  }
}
