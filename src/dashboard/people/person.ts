import type { Reachability as ContactReachability } from '../../resources/contact-reachability.ts';
import type { Language } from '../../resources/language.ts';
import { personName } from '../../resources/person-name.ts';
import type { Role } from '../../resources/roles.ts';
import type { PersonalChannel } from '../ui/channel.ts';

export type Person = {
  readonly id: string;
  readonly version: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: Role;
  readonly timezone?: string;
  readonly language?: Language;
  readonly team_ids: readonly string[];
  readonly active: boolean;
};

export type ChannelReachability = {
  readonly channel: PersonalChannel;
  readonly reachable: boolean;
  readonly reachability: ContactReachability;
  readonly reason?: string;
};
export type Reachability = {
  readonly reachable: boolean;
  readonly reason?: string;
  readonly channels: readonly ChannelReachability[];
};

/** A person’s sign-in methods. */
export type Factors = {
  readonly password: boolean;
  readonly second_factor: boolean;
  readonly passkeys: number;
};

export const shown = ['active', 'unreachable', 'inactive'] as const;
/** Which people a list is of. */
export type Shown = (typeof shown)[number];

export const shownOf = (text: unknown): Shown => shown.find((one) => one === text) ?? 'active';

export type ListedPerson = Person & { readonly reachability: Reachability };

/** By name; `text` is a part of the name or the address. */
export function peopleOf<One extends ListedPerson>(
  people: readonly One[],
  { show, text = '' }: { readonly show: Shown; readonly text?: string | undefined },
): readonly One[] {
  const wanted = text.trim().toLowerCase();
  return people
    .filter(({ active }) => active === (show !== 'inactive'))
    .filter(({ reachability }) => show !== 'unreachable' || !reachability.reachable)
    .filter((one) => `${personName(one)} ${one.email}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => personName(one).localeCompare(personName(other)));
}
