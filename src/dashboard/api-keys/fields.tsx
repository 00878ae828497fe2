// The widgets of a key's fields that its declaration alone does not say: roles that one may give,
// teams by their names, and expiry by date.
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { mayAct, type Role, roles } from '../../resources/roles.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { type FieldProps, FormAround, type OwnWidgets } from '../form/around.tsx';
import { Group } from '../form/group.tsx';
import { InstantField } from '../oncall/instant-field.tsx';
import { words as peopleWords } from '../people/words.ts';
import { Button } from '../ui/button.tsx';
import { CheckField, SelectField } from '../ui/field.tsx';
import { useNow } from '../ui/now.ts';
import { Radios } from '../ui/radios.tsx';
import { ownZone } from '../ui/zones.ts';
import { words } from './words.ts';

function RoleField({ path, value, onChange }: FieldProps) {
  const { data: session } = useQuery(sessionQuery);
  const chosen = roles.find((role) => role === value) ?? 'viewer';
  const mayGive = (role: Role) => session !== undefined && mayAct(session.user, role);
  return (
    <SelectField
      path={path}
      label={words.role}
      help={words.roleHelp(peopleWords.roleText[chosen])}
      value={chosen}
      options={roles
        .filter((role) => mayGive(role) || role === chosen)
        .map((role) => ({ value: role, text: peopleWords.roles[role] }))}
      onChange={onChange}
    />
  );
}

const idsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

function TeamsField({ path, value, onChange }: FieldProps) {
  const { data: teams } = useQuery(teamNamesQuery);
  const ids = idsIn(value);
  const set = (id: string, isIn: boolean) =>
    onChange(isIn ? [...ids, id] : ids.filter((one) => one !== id));
  return (
    <Group path={path} label={words.teams} help={words.teamsHelp} isList>
      <Radios
        choices={[
          {
            text: words.allTeams,
            isChosen: value === undefined,
            choose: () => onChange(undefined),
          },
          { text: words.onlyTeams, isChosen: value !== undefined, choose: () => onChange(ids) },
        ]}
      />
      {value !== undefined && (
        <div className="flex max-h-52 flex-col gap-1.5 overflow-y-auto pointer-coarse:gap-0">
          {[...(teams ?? [])].map(([id, name]) => (
            <CheckField
              key={id}
              path={`${path}.${id}`}
              label={name}
              isChecked={ids.includes(id)}
              onChange={(isIn) => set(id, isIn)}
            />
          ))}
        </div>
      )}
    </Group>
  );
}

/** One of those that the key is for. */
function DefaultTeamField({ path, value, onChange }: FieldProps) {
  const { data: teams } = useQuery(teamNamesQuery);
  const { draft } = use(FormAround);
  const isOffered = (id: string) =>
    draft['team_ids'] === undefined || idsIn(draft['team_ids']).includes(id) || id === value;
  return (
    <SelectField
      path={path}
      label={words.defaultTeam}
      help={words.defaultTeamHelp}
      value={typeof value === 'string' ? value : ''}
      options={[
        { value: '', text: words.noDefaultTeam },
        ...[...(teams ?? [])]
          .filter(([id]) => isOffered(id))
          .map(([id, text]) => ({ value: id, text })),
      ]}
      onChange={(id) => onChange(id === '' ? undefined : id)}
    />
  );
}

const DAY_MS = 86_400_000;
const offered = [30, 90, 365] as const;

function ExpiryField({ path, value, onChange }: FieldProps) {
  const now = useNow();
  const zone = ownZone();
  return (
    <div className="flex flex-col gap-2">
      <InstantField
        path={path}
        label={words.expiry}
        help={words.expiryHelp(zone)}
        instant={typeof value === 'string' ? value : undefined}
        timezone={zone}
        onChange={onChange}
      />
      <div className="flex flex-wrap gap-2">
        {offered.map((days) => (
          <Button key={days} onClick={() => onChange(new Date(now + days * DAY_MS).toISOString())}>
            {words.inDays(days)}
          </Button>
        ))}
        <Button onClick={() => onChange(undefined)}>{words.never}</Button>
      </div>
    </div>
  );
}

export const keyWidgets: OwnWidgets = {
  role: RoleField,
  team_ids: TeamsField,
  default_team_id: DefaultTeamField,
  expires_at: ExpiryField,
};
