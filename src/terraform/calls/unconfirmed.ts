// A creation whose answer was lost: until it is known what came of it, the state has its key for an
// id (docs/decisions/0016-lost-creations.md).

import type { Resource } from '../../resources/declaration/resource.ts';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '../diagnostics.ts';
import { spoken } from '../managed.ts';
import type { Value } from '../protocol/value.ts';

const mark = 'unconfirmed:';

export const unconfirmedId = (key: string): string => `${mark}${key}`;

/** The key of the creation; undefined for the id of a record. */
export const unconfirmedKey = (id: string): string | undefined =>
  id.startsWith(mark) ? id.slice(mark.length) : undefined;

// Terraform does not say whether a resource is tainted, so both ways are named.
const waysOut = `The next apply replaces it: Terraform archives the record if it was created, and creates a new one. That needs the resource to be tainted, without prevent_destroy, within 24 hours and with the same API key.

Otherwise (after terraform untaint, or with prevent_destroy), run terraform state rm ADDRESS. Then look for the record in the dashboard: if it exists, run terraform import ADDRESS ID; if not, apply again to create it.`;

const summaryOf = (resource: Resource, value: Value) =>
  `It is unknown whether the ${spoken(resource, value)} exists`;

/** Of a refresh: a plan without changes would hide that nothing may be there. */
export const unconfirmedWarning = (resource: Resource, prior: Value): Diagnostic =>
  warningDiagnostic({
    summary: summaryOf(resource, prior),
    detail: `The response to its creation was lost. ${waysOut}`,
  });

export const unconfirmedError = (resource: Resource, prior: Value): Diagnostic =>
  errorDiagnostic({
    summary: summaryOf(resource, prior),
    detail: `The response to its creation was lost, so it cannot be changed. ${waysOut}`,
  });
