import { useQuery } from '@tanstack/react-query';
import { type Role, roles } from '../../resources/roles.ts';
import { teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { CheckField, SelectField } from '../ui/field.tsx';
import { words } from './words.ts';

export type Access = { readonly role: Role; readonly team_ids: readonly string[] };

type AccessFieldsProps = { value: Access; onChange: (access: Access) => void };

/** What somebody may do, and which teams they are in. */
export function AccessFields({ value, onChange }: AccessFieldsProps) {
  const isOwner = useMay('owner');
  const { data: teams } = useQuery(teamNamesQuery);
  const mayMake = (role: Role) => role !== 'owner' || isOwner;
  return (
    <>
      <SelectField
        path="role"
        label={words.role}
        help={words.roleText[value.role]}
        value={value.role}
        options={roles
          .filter((role) => mayMake(role) || role === value.role)
          .map((role) => ({ value: role, text: words.roles[role] }))}
        onChange={(role) => onChange({ ...value, role: role as Role })}
      />
      {teams !== undefined && teams.size > 0 && (
        <fieldset className="min-w-0">
          <legend className="mb-1 font-medium">{words.teams}</legend>
          <div className="flex max-h-52 flex-col gap-1.5 overflow-y-auto pointer-coarse:gap-0">
            {[...teams].map(([id, name]) => (
              <CheckField
                key={id}
                path={`team_ids.${id}`}
                label={name}
                isChecked={value.team_ids.includes(id)}
                onChange={(isIn) =>
                  onChange({
                    ...value,
                    team_ids: isIn
                      ? [...value.team_ids, id]
                      : value.team_ids.filter((each) => each !== id),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}
