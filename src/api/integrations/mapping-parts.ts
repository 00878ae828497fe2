// What the routes of mappings share.
import type { Form, Mapping } from '../../alerts/reading/notation.ts';
import { mappingProblems } from '../../alerts/reading/problems.ts';
import type { Ids } from '../../engine/ids.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { integration } from '../../resources/integration.ts';
import { mappingInput, sizeProblems } from '../../resources/integration-mapping.ts';
import type { Sql } from '../../storage/database/database.ts';
import { findIntegration, type ReadingIntegration } from '../../storage/incidents/events.ts';
import { find } from '../../storage/records/queries.ts';
import type { Compute } from '../computing/computer.ts';
import { invalid, notFound } from '../failures.ts';
import type { Call } from '../route.ts';

export type MappingParts = { readonly sql: Sql; readonly ids: Ids; readonly compute: Compute };

/** What a client may send back of what it read. */
export const readOnly = ['integration_id', 'revision', 'archived_at'];

/** Throws a Refusal that names what is wrong, each at its path. */
export function formsIn(body: unknown): readonly Form[] {
  const sent = readObject(mappingInput, body, { ignored: readOnly });
  if (!sent.ok) throw invalid(sent.problems);
  // The reader has held it to the schema, which is that of the notation.
  const { forms } = sent.value as Pick<Mapping, 'forms'>;
  const size = sizeProblems(forms);
  const problems = size.length > 0 ? size : mappingProblems(forms);
  if (problems.length > 0) throw invalid(problems);
  return forms;
}

export async function integrationOf(
  sql: MappingParts['sql'],
  { caller, params }: Call,
): Promise<ReadingIntegration> {
  const row = await find(sql, integration, { key: params['id'] ?? '', scope: caller });
  const one = row && (await findIntegration(sql, caller, String(row['id'])));
  if (!one) throw notFound();
  return one;
}
