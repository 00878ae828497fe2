import type { Resource } from '../../resources/declaration/resource.ts';
import { inSentence } from '../data-sources/data-source.ts';
import { errorDiagnostic } from '../diagnostics.ts';
import { importForms, readImportId } from '../import-forms.ts';
import { findKnown } from '../known-by.ts';
import { inWords, managedAs } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';
import { failureDiagnostics, notConnected } from './failures.ts';

/** Only notes the id: Terraform reads the record next, which fills in the rest or finds none. */
export async function importResource(
  { managed, connection }: Session,
  { type_name, id: importId }: RequestOf<'ImportResourceState'>,
): Promise<ResponseOf<'ImportResourceState'>> {
  const as = managedAs(managed, type_name);
  const { type, resource } = as;
  const noted = (value: Value) => ({
    imported_resources: [{ type_name, state: sending(type, value) }],
  });
  const read = readImportId(as, importId);
  if (read !== undefined) return noted(read);
  if (resource.knownBy === '') return { diagnostics: [unreadable(importForms(as), importId)] };
  const doing = `import the ${inWords(resource.name)} ${JSON.stringify(importId)}`;
  if (connection === null) return { diagnostics: [notConnected(doing)] };
  const known = await findKnown(connection.client, resource, importId);
  if (!known.ok) return { diagnostics: failureDiagnostics(doing, known.failure) };
  const [one] = known.value;
  return one ? noted({ id: String(one['id']) }) : { diagnostics: [noneKnown(resource, importId)] };
}

const noneKnown = ({ name, knownBy }: Resource, importId: string) =>
  errorDiagnostic({
    summary: `The ${inWords(name)} ${JSON.stringify(importId)} is not found`,
    detail: `It is not an id, and the API key’s organization has no ${inWords(name)} with this ${knownBy}.`,
  });

function unreadable(forms: readonly string[], importId: string) {
  return errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} must have the form ${inSentence(forms, 'or')}. An id has 24 lowercase hex characters. It is the last part of the record’s address in the dashboard.`,
  });
}
