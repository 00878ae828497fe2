import {
  changeOrganization,
  findOrganization,
  type OrganizationFields,
} from '../../storage/people/organization.ts';
import { type Call, ok, type Route } from '../route.ts';
import { organizationInput, organizationOutput } from './shapes.ts';
import {
  actOf,
  checkVersion,
  needsWholeOrganization,
  type PeopleParts,
  readChange,
  route,
} from './writing.ts';

const tag = 'organization';
const answers = { status: 200, schema: organizationOutput };

export function organizationRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /organization', 'viewer', {
      ...{ tag, doc: 'Reads the organisation.', answers },
      handle: async ({ caller }) => ok(await findOrganization(parts.sql, caller.organizationId)),
    }),
    route('PATCH /organization', 'admin', {
      ...{ tag, doc: 'Changes the organisation.', body: organizationInput, answers },
      handle: (call) => change(parts, call),
    }),
  ];
}

async function change({ sql, ids }: PeopleParts, call: Call) {
  needsWholeOrganization(call);
  const changed = await changeOrganization(sql, {
    act: actOf(call),
    ids,
    change(before) {
      checkVersion(call, before);
      const wanted = readChange(organizationInput, { call, before, isPatch: true });
      // The reader has held it to the schema.
      return wanted as OrganizationFields;
    },
  });
  return ok(changed);
}
