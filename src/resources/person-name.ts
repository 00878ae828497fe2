/** As people are called everywhere; in SQL: `src/storage/records/names.ts`. */
export const personName = (person: {
  readonly first_name: string;
  readonly last_name: string;
}): string => `${person.first_name} ${person.last_name}`.trim();

/** The same; of somebody without a name, the e-mail. */
export const nameOrEmail = (
  person: Parameters<typeof personName>[0] & { readonly email: string },
) => personName(person) || person.email;
