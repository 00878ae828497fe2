// A membership can be configured for a team, for a person, or by itself. Two of these undo each other,
// so whichever Terraform plans last is refused, as is a second resource for the same membership. Ids
// that are not known yet are compared at the apply.
import { team } from '../resources/team.ts';
import { teamMembership } from '../resources/team-membership.ts';
import { user } from '../resources/user.ts';
import { fieldOf } from './convert.ts';
import { type Diagnostic, errorDiagnostic } from './diagnostics.ts';
import type { Managed } from './managed.ts';
import type { Value } from './protocol/value.ts';

type Side = {
  /** Its list of members, or of teams. */
  readonly list: string;
  /** The attribute of a membership that names it. */
  readonly names: string;
};

const sides: Readonly<Record<string, Side>> = {
  [team.name]: { list: 'user_ids', names: 'team_id' },
  [user.name]: { list: 'team_ids', names: 'user_id' },
};

type Seen = { readonly config: Value; readonly value: Value };

export type MemberSides = {
  /** Remembers what is configured of a resource, by the ids that are known. */
  note(as: Managed, seen: Seen): void;
  /** What was noted already that it cannot be combined with. */
  errors(as: Managed, seen: Seen): Diagnostic[];
  /** Whether another resource has the same membership. Each resource is to be asked for once. */
  isTwice(as: Managed, value: Value): boolean;
};

/** Of a plan, which is where both can still be changed. */
export function memberErrors(
  connection: { readonly memberSides: MemberSides } | null,
  as: Managed,
  { isAgain, ...seen }: Seen & { readonly isAgain: boolean },
): Diagnostic[] {
  if (connection === null) return [];
  const { memberSides } = connection;
  memberSides.note(as, seen);
  const isTwice = !isAgain && memberSides.isTwice(as, seen.value);
  return [...memberSides.errors(as, seen), ...(isTwice ? [twice] : [])];
}

const twice = errorDiagnostic({
  summary: 'Two resources set the same membership',
  detail:
    'Two pager_team_membership resources are configured for the same person and team. Destroying one would remove the person for both. Keep one of them.',
  path: 'user_id',
});

type Claim = { readonly side: Side; readonly id: string; readonly isList: boolean };

export function createMemberSides(): MemberSides {
  const noted = new Set<string>();
  const pairs = new Set<string>();
  const keyOf = ({ side, id }: Claim, isList: boolean) => `${side.names} ${id} ${isList}`;
  return {
    note(as, seen) {
      for (const claim of claimsOf(as, seen)) noted.add(keyOf(claim, claim.isList));
    },
    errors: (as, seen) =>
      claimsOf(as, seen)
        .filter((claim) => noted.has(keyOf(claim, !claim.isList)))
        .map(refused),
    isTwice({ resource }, value) {
      if (resource.name !== teamMembership.name || value === null) return false;
      const ids = Object.values(sides).map(({ names }) => fieldOf(value, names));
      if (ids.some((id) => typeof id !== 'string')) return false;
      const pair = ids.join(' ');
      const isKnown = pairs.has(pair);
      pairs.add(pair);
      return isKnown;
    },
  };
}

/** A list that is configured is the whole: it has every membership of its team, or of its person. */
function claimsOf({ resource }: Managed, { config, value }: Seen): readonly Claim[] {
  if (config === null) return [];
  const own = sides[resource.name];
  const claims =
    own !== undefined
      ? [{ side: own, id: fieldOf(value, 'id'), isList: true }]
      : Object.values(sides).map((side) => ({
          side,
          id: fieldOf(value, side.names),
          isList: false,
        }));
  const isMember = resource.name === teamMembership.name;
  const hasList = own !== undefined && fieldOf(config, own.list) !== null;
  return isMember || hasList
    ? claims.filter((claim): claim is Claim => typeof claim.id === 'string')
    : [];
}

function refused({ side: { list, names }, isList }: Claim): Diagnostic {
  const kind = names.replace('_id', '');
  const whose = kind === user.name ? 'person' : kind;
  return errorDiagnostic({
    summary: 'Two resources set the same memberships',
    detail: `A pager_team_membership and ${list} of pager_${kind} are configured for the same ${whose}. ${list} is the whole list, so each would undo the other. Use either ${list} or memberships.`,
    path: isList ? list : names,
  });
}
