// What can be chosen where a record, a person or a team is named, and what each is called.
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { records } from '../../resources/index.ts';
import { personName } from '../../resources/person-name.ts';
import { readList } from '../api/pager.ts';
import { displayNameOf } from '../records/record.ts';
import type { Pick } from '../ui/pick-field.tsx';
import type { Field, Widget } from './form.ts';
import { words } from './words.ts';

type Named = {
  readonly id: string;
  readonly name?: string;
  readonly slug?: string;
  readonly team_id?: string;
};
type Person = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly active: boolean;
};
export type TeamPick = Pick & { readonly teamId: string | null };

const STALE_MS = 60_000;

const picksQuery = (to: string) => {
  const route = to === 'user' ? 'users' : to === 'team' ? 'teams' : routeOf(to);
  return queryOptions({
    queryKey: [route, 'picks'],
    staleTime: STALE_MS,
    queryFn: async (): Promise<readonly TeamPick[]> => {
      const picks = to === 'user' ? await people() : await named(route);
      return picks.toSorted((one, other) => one.label.localeCompare(other.label));
    },
  });
};

const routeOf = (kind: string): string => records.find(({ name }) => name === kind)?.route ?? kind;

const people = async (): Promise<readonly TeamPick[]> =>
  (await readList<Person>('/users', { active: 'true' })).map((one) => ({
    value: one.id,
    label: personName(one),
    hint: one.email,
    teamId: null,
  }));

const named = async (route: string): Promise<readonly TeamPick[]> =>
  (await readList<Named>(`/${route}`)).map((one) => ({
    value: one.id,
    label: displayNameOf(one),
    teamId: one.team_id ?? null,
  }));

/** Of a team, where what is named must be of the same one. */
export function usePicks(to: string, teamId: string | undefined): readonly TeamPick[] | undefined {
  const { data } = useQuery(picksQuery(to));
  if (teamId === undefined) return data;
  return data?.filter((pick) => pick.teamId === null || pick.teamId === teamId);
}

/** With what is chosen, also where it can be chosen no more. */
export function withChosen(picks: readonly Pick[] | undefined, value: string): readonly Pick[] {
  if (picks === undefined) return value === '' ? [] : [{ value, label: '…' }];
  if (value === '' || picks.some((pick) => pick.value === value)) return picks;
  return [...picks, { value, label: words.gone, hint: value }];
}

export type NameOf = (to: string, id: string) => string;

/** What the records that these fields name are called; those that are not known by their ids. */
export function useNames(fields: readonly Field[]): NameOf {
  const kinds = [...new Set(fields.flatMap(({ widget }) => kindsIn(widget)))];
  const answers = useQueries({ queries: kinds.map(picksQuery) });
  const names = new Map(
    kinds.map((kind, index) => [
      kind,
      new Map((answers[index]?.data ?? []).map(({ value, label }) => [value, label])),
    ]),
  );
  return (to, id) => names.get(to)?.get(id) ?? id;
}

function kindsIn(widget: Widget): readonly string[] {
  switch (widget.type) {
    case 'record':
    case 'records':
      return [widget.to];
    case 'list':
      return kindsIn(widget.member);
    case 'map':
      return kindsIn(widget.value);
    case 'object':
      return widget.fields.flatMap((field) => kindsIn(field.widget));
    case 'variant':
      return widget.variants.flatMap(({ fields }) =>
        fields.flatMap((field) => kindsIn(field.widget)),
      );
    default:
      return [];
  }
}
