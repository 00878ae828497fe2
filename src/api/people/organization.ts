import { masked } from '../../resources/declaration/references-and-secrets.ts';
import { organizationProblems } from '../../resources/organization.ts';
import { mayAct } from '../../resources/roles.ts';
import {
  changeOrganization,
  findOrganization,
  type OrganizationFields,
} from '../../storage/people/organization.ts';
import { warned } from '../answers.ts';
import { type Declared, review } from '../oncall/notification-settings.ts';
import { mergePatch } from '../records/body.ts';
import { withWarnings } from '../records/rendering.ts';
import { type Call, ok, type Route } from '../route.ts';
import { organizationInput, organizationOutput } from './shapes.ts';
import {
  actOf,
  checkVersion,
  needsWholeOrganization,
  type PeopleParts,
  readOnly,
  route,
} from './writing.ts';

const tag = 'organization';
const answers = { status: 200, schema: organizationOutput };
const changing = {
  tag,
  body: organizationInput,
  ignored: readOnly,
  takesVersion: true as const,
  answers: { status: 200, schema: warned(organizationOutput) },
};

export function organizationRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /organization', 'viewer', {
      tag,
      doc: 'Returns the organization settings.',
      answers,
      handle: ({ caller }) => read(parts, caller),
    }),
    route('PATCH /organization', 'admin', {
      ...changing,
      doc: 'Updates the organization settings.',
      handle: (call) => change(parts, call, true),
    }),
    route('PUT /organization', 'admin', {
      ...changing,
      doc: 'Replaces the organization settings. Absent fields return to their defaults.',
      handle: (call) => change(parts, call, false),
    }),
  ];
}

async function read({ sql, secrets }: PeopleParts, caller: Call['caller']) {
  const organization = await findOrganization(sql, { id: caller.organizationId, secrets });
  const mayReadSecrets = mayAct(caller, 'manager');
  return ok(mayReadSecrets ? organization : masked(organizationOutput, organization));
}

const namesZone = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'timezone' in body && body.timezone !== null;

const declared: Declared = {
  schema: organizationInput,
  // It was read against the schema.
  check: (fields) => organizationProblems(fields as Partial<OrganizationFields>),
  ignored: readOnly,
};

async function change({ sql, ids, secrets }: PeopleParts, call: Call, isPatch: boolean) {
  needsWholeOrganization(call);
  let warnings: readonly string[] = [];
  const changed = await changeOrganization(sql, {
    act: actOf(call),
    ids,
    secrets,
    choosesZone: namesZone(call.body),
    async change(lookup, before) {
      checkVersion(call, before);
      const sent = isPatch ? mergePatch(before, call.body) : call.body;
      const reviewed = await review(declared, { sent, before, teamId: null }, lookup);
      warnings = reviewed.warnings;
      // The reader has held it to the schema.
      return reviewed.fields as OrganizationFields;
    },
  });
  return ok(withWarnings(changed, warnings));
}
