// How bodies at one integration are read, beside its type: read, changed, tried, suggested.
import type { Form } from '../../alerts/reading/notation.ts';
import { integration } from '../../resources/integration.ts';
import { mappingInput, mappingOutput } from '../../resources/integration-mapping.ts';
import {
  changeMapping,
  findMapping,
  type StoredMapping,
} from '../../storage/integrations/mappings.ts';
import { notFound, Refusal } from '../failures.ts';
import { actOf, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { formsIn, type MappingParts, readOnly } from './mapping-parts.ts';
import { suggestRoute } from './mapping-suggest.ts';
import { tryRoute } from './mapping-try.ts';

const tag = integration.table;
const answers = { status: 200, schema: mappingOutput };

export function mappingRoutes(parts: MappingParts): Route[] {
  const path = '/integrations/:id/mapping' as const;
  const shown = async (call: Call) => {
    const mapping = await findMapping(parts.sql, { integration: named(call), scope: call.caller });
    if (mapping === null) throw notFound();
    return ok(shownAs(mapping));
  };
  return [
    route(`GET ${path}`, 'viewer', {
      tag,
      doc: 'Returns the mapping of an integration. Without a mapping, forms is empty.',
      answers,
      handle: shown,
    }),
    route(`PUT ${path}`, 'manager', {
      tag,
      doc: 'Replaces the mapping of an integration. Its forms override the integration type.',
      body: mappingInput,
      answers,
      ignored: readOnly,
      handle: async (call) => change(parts, call, formsIn(call.body)),
      again: shown,
    }),
    route(`DELETE ${path}`, 'manager', {
      tag,
      doc: 'Removes the mapping of an integration. Events are then read by its type.',
      answers,
      handle: async (call) => change(parts, call, []),
      again: shown,
    }),
    tryRoute(parts),
    suggestRoute(parts),
  ];
}

async function change({ sql, ids }: MappingParts, call: Call, forms: readonly Form[]) {
  const written = forms.length === 0 ? null : forms;
  const result = await changeMapping(
    { sql, ids },
    { integration: named(call), act: actOf(call), forms: written },
  );
  if (typeof result === 'string') throw new Refusal(result);
  return ok(shownAs(result));
}

const shownAs = ({ integrationId, revision, forms, archivedAt }: StoredMapping) => ({
  integration_id: integrationId,
  revision,
  forms,
  ...(archivedAt !== null && { archived_at: archivedAt }),
});

const named = ({ params }: Call): string => params['id'] ?? '';
