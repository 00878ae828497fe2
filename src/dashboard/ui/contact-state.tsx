import type { Reachability } from '../../resources/contact-reachability.ts';
import { once } from '../../resources/once.ts';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

type Contact = {
  readonly reachability: Reachability;
  readonly proved_at?: string;
  readonly state_at?: string;
};

const day = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }));
const dayOf = (at: string) => day().format(new Date(at));

const colors: Readonly<Record<Reachability, string>> = {
  proved: 'text-green',
  likely: 'text-ink2',
  unproved: 'text-amber',
  broken: 'text-red',
};

/** Whether a page arrives there, in the same words wherever a contact is shown. */
export const ContactState = ({ contact }: { contact: Contact }) => (
  <span className={`inline-flex items-center gap-1 text-sm ${colors[contact.reachability]}`}>
    {contact.reachability === 'proved' && <Icon name="check" />}
    {textOf(contact)}
  </span>
);

function textOf({ reachability, proved_at, state_at }: Contact): string {
  if (reachability === 'proved' && proved_at) return words.contactProvedOn(dayOf(proved_at));
  if (reachability === 'broken' && state_at) return words.contactFailingSince(dayOf(state_at));
  return words.contact[reachability];
}
