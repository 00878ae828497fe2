// What could not be done, as Terraform shows it: why, and what helps.
import { type Failure, failureText, requestText } from '../../client/answer.ts';
import { hasDetailRoute } from '../../client/records.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { fieldOf } from '../convert.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  problemText,
  warningDiagnostic,
} from '../diagnostics.ts';
import { inWords, spoken } from '../managed.ts';
import type { Value } from '../protocol/value.ts';

/** `doing` goes on after "Could not": `create the service "Shop"`. */
export function failureDiagnostics(doing: string, failure: Failure, hint = ''): Diagnostic[] {
  const summary = `Could not ${doing}`;
  if (failure.type === 'refused' && failure.issues.length > 0) {
    const request = requestText(failure);
    return failure.issues.map((issue) => {
      const { detail, path } = problemText(issue);
      const texts = [`${detail}${request}`, hint].filter(Boolean);
      return errorDiagnostic({ summary, detail: texts.join('\n\n'), path });
    });
  }
  const detail = [failureText(failure), helpWith(failure), hint].filter(Boolean).join('\n\n');
  return [errorDiagnostic({ summary, detail })];
}

function helpWith(failure: Failure): string {
  switch (failure.type) {
    case 'refused':
      return helpWithRefusal[failure.code] ?? '';
    case 'unreachable':
      if (failure.isLasting) return 'Check base_url (or PAGER_BASE_URL).';
      return `Check that the server is running and that base_url (or PAGER_BASE_URL) is correct. ${later}`;
    case 'unknown_route':
    case 'not_pager':
    case 'aborted':
      return '';
  }
}

const later =
  'Wait until the server recovers, then run Terraform again. Completed changes are kept. The provider settings max_retries and timeout control how long requests are retried.';

/** The API answers alike of a record that the key may not see and of one that never was. */
export const mayBeHidden =
  'The API key may be limited to other teams, or belong to another organization.';

const helpWithRefusal: Readonly<Record<string, string>> = {
  unauthorized: 'Set api_key (or PAGER_API_KEY) to a valid API key of the organization.',
  forbidden:
    'Terraform needs an API key with the role manager or above. Teams, users and their settings need the role admin or above and a key that is not limited to teams. Owners need the role owner.',
  session_only: 'A signed-in admin can do this in the dashboard, under People.',
  not_found: mayBeHidden,
  team_required: 'Set team_id here or in the provider.',
  stale_version:
    'The record was changed in the dashboard since the plan. Run terraform plan again.',
  archived: 'The record was archived in the dashboard since the plan. Run terraform plan again.',
  replacement_not_active:
    'Set archive_replacement_policy_id to an active policy and apply that change first.',
  too_large: 'Split the record into several records.',
  rate_limited: 'Run Terraform again later, or with a lower -parallelism.',
  internal: `The server’s log has details under the request id. ${later}`,
  query_timeout: later,
  restoring: later,
  unavailable: later,
};

/** Why a record could not be read or archived: old APIs may lack the route that reads all of it. */
export function recordFailure(resource: Resource, doing: string, failure: Failure): Diagnostic[] {
  if (!hasDetailRoute(resource) || failure.type !== 'unknown_route')
    return failureDiagnostics(doing, failure);
  const detail = `${failureText(failure)}

Until the server is updated, reference an existing ${inWords(resource.name)} through the data source pager_${resource.name} instead of the resource. \`terraform state rm\` removes the resource from the state and keeps the record.`;
  return [errorDiagnostic({ summary: `Could not ${doing}: unknown route`, detail })];
}

export const isNotFound = (failure: Failure) =>
  failure.type === 'refused' && failure.code === 'not_found';

export const unseen = (resource: Resource, prior: Value): Diagnostic =>
  warningDiagnostic({
    summary: `The ${spoken(resource, prior)} is not found`,
    detail: `The API has no record with the id ${fieldOf(prior, 'id')}. Terraform treats the record as deleted.`,
  });

type Whose = { readonly of: string; readonly keyOf: string };

/** To take it for gone would be to create it anew, in another organization. */
export const ofAnotherOrganization = (
  resource: Resource,
  prior: Value,
  { of, keyOf }: Whose,
): Diagnostic =>
  errorDiagnostic({
    summary: `The ${spoken(resource, prior)} belongs to another organization`,
    detail: `It was created in the organization ${of}, but the API key belongs to ${keyOf}. Set an API key of the organization that this state belongs to, or use another workspace. \`terraform state rm\` removes the record from the state without changing it.`,
  });

/** What gives access to a record: its team, or the record that it is below. */
export type Owner = { readonly noun: string; readonly id: string };

/** To take it for gone would be to create it anew, and to leave the one that pages people. */
export function noAccess(resource: Resource, prior: Value, { noun, id }: Owner): Diagnostic {
  const what = spoken(resource, prior);
  const isItself = id === fieldOf(prior, 'id') && noun === resource.name;
  const summary = isItself
    ? `The API key has no access to the ${what}`
    : `The ${what} belongs to ${article(noun)} that the API key has no access to`;
  const named = isItself ? 'The team' : `The ${inWords(noun)} ${id}`;
  return errorDiagnostic({
    summary,
    detail: `${named} may still exist, so the ${inWords(resource.name)} stays in the state. Set an API key with access to that ${inWords(noun)}, not one that is limited to other teams. If the ${inWords(noun)} no longer exists, remove the ${inWords(resource.name)} from the state with \`terraform state rm\`.`,
  });
}

const article = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${inWords(noun)}`;

export const notUnderstood = (doing: string): Diagnostic =>
  errorDiagnostic({
    summary: `Could not ${doing}`,
    detail:
      'The API’s response has missing values, or values of types that this version of the provider does not know. Use the provider version that matches the server.',
  });

/** When a setting of the provider is known only after an apply. */
export const notConnected = (doing: string): Diagnostic =>
  errorDiagnostic({
    summary: `Could not ${doing}`,
    detail:
      'The provider settings depend on values that have not been applied yet. Apply those first, with -target.',
  });

const WARNINGS_MAX = 10;

/** What the API tells whoever wrote a record. Terraform shows equal ones of many records once. */
export function answerWarnings(done: string, warnings: readonly string[]): Diagnostic[] {
  const distinct = [...new Set(warnings)];
  const more = distinct.length - WARNINGS_MAX;
  const summaries = [
    ...distinct.slice(0, WARNINGS_MAX),
    ...(more > 0 ? [`${more} more warnings.`] : []),
  ];
  return summaries.map((summary) => warningDiagnostic({ summary, detail: done }));
}
