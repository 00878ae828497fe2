// What people read and change of themselves; the rest of a person is for admins.
import { objectOf } from '../../resources/declaration/field.ts';
import { user } from '../../resources/user.ts';
import { changeUser, findUser, type UserFields } from '../../storage/people/users.ts';
import { Refusal } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import {
  actOf,
  checkVersion,
  orNotFound,
  type PeopleParts,
  readChange,
  readOnly,
  route,
} from './writing.ts';

const { first_name, last_name, timezone, language } = user.fields;
const ownInput = objectOf(
  { first_name, last_name, timezone, language },
  'The fields that people can change themselves.',
);

const tag = 'users';
const answers = { status: 200, schema: user.output };

export const ownRoutes = ({ sql, ids }: PeopleParts): Route[] => [
  route('GET /users/me', 'viewer', {
    tag,
    doc: 'Returns the signed-in person.',
    answers,
    async handle(call) {
      return ok(orNotFound(await findUser(sql, call.caller.organizationId, ownId(call))));
    },
  }),
  route('PATCH /users/me', 'viewer', {
    tag,
    doc: 'Updates the name, time zone or language of the signed-in person.',
    body: ownInput,
    answers,
    ignored: readOnly,
    takesVersion: true,
    async handle(call) {
      const changing = {
        act: actOf(call),
        ids,
        id: ownId(call),
        change(before: UserFields & { readonly version: number }) {
          checkVersion(call, before);
          const own = readChange(ownInput, { call, before, isPatch: true });
          const { timezone: _zone, language: _language, ...rest } = before;
          // The reader has held it to the schema.
          return { ...rest, ...own } as UserFields;
        },
      };
      return ok(orNotFound(await changeUser(sql, changing)));
    },
  }),
];

function ownId({ caller }: Call): string {
  const message = 'API keys cannot do this. Sign in to do it.';
  if (caller.kind === 'key') throw new Refusal('not_found', { message });
  return caller.id;
}
