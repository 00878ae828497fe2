// In which language somebody is answered.
import { knownLanguage, type Language } from '../../resources/language.ts';
import type { Queries } from '../database/database.ts';

type Address = {
  readonly organizationId: string;
  readonly channel: string;
  readonly address: string;
};

type Row = { readonly language: string | null };

/** Of the person with this contact; of the organization, where nobody has it, or several people. */
export async function languageAt(
  sql: Queries,
  { organizationId, channel, address }: Address,
): Promise<Language> {
  const [row] = await sql<Row[]>`
    select coalesce((
      select case when count(distinct u.id) = 1 then min(u.language) end
      from contacts c join users u on u.organization_id = c.organization_id and u.id = c.user_id
      where c.organization_id = o.id and c.channel = ${channel} and c.address = ${address}
        and u.active
    ), o.language) as language
    from organizations o where o.id = ${organizationId}`;
  return knownLanguage(row?.language);
}

/** Of a person, else of the organization. */
export async function languageOf(
  sql: Queries,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<Language> {
  const [row] = await sql<Row[]>`
    select coalesce(u.language, o.language) as language
    from organizations o left join users u on u.organization_id = o.id and u.id = ${userId}
    where o.id = ${organizationId}`;
  return knownLanguage(row?.language);
}
