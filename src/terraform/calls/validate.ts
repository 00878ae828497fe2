import type { CompileExpression } from '../../resources/declaration/expression-compiler.ts';
import { mayHaveExpressions } from '../../resources/declaration/regular-expression.ts';
import { firstProblems, type Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { fieldOf, isList } from '../convert.ts';
import { type Diagnostic, problemText, warningDiagnostic } from '../diagnostics.ts';
import { managedAs, spoken } from '../managed.ts';
import { problemsOf, unknownZones } from '../planning/checks.ts';
import { isMockedId } from '../planning/mocked-ids.ts';
import { versionProblems } from '../planning/version-problems.ts';
import type { Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, received } from './dynamic-value.ts';
import { readOnlyErrors } from './read-only.ts';
import { slugProblems } from './slug-problems.ts';
import { recordErrors, writeOnlyErrors } from './write-only.ts';

/** What compiles regular expressions, loaded when it is asked for. */
export type LoadExpressions = () => Promise<CompileExpression>;

type Validating = Session & { readonly loadExpressions: LoadExpressions };

export async function validateResource(
  { managed, connection, loadExpressions }: Validating,
  { type_name, config: sent, client_capabilities: client }: RequestOf<'ValidateResourceConfig'>,
): Promise<ResponseOf<'ValidateResourceConfig'>> {
  const { resource, attributes, type } = managedAs(managed, type_name);
  const config = received(type, sent);
  // Records without regular expressions need not wait.
  const compile = mayHaveExpressions(resource) ? await loadExpressions() : undefined;
  const problems = [
    ...problemsOf(resource, config, compile).filter(
      (problem) => connection !== null || !isMockedId(config, problem),
    ),
    ...versionProblems(attributes, config),
    ...(await slugProblems(connection, resource, config)),
  ];
  const zones = firstProblems(unknownZones(resource, config)).map(problemText);
  return {
    diagnostics: [
      ...readOnlyErrors(attributes, config),
      ...writeOnlyErrors(attributes, config, {
        isAllowed: client?.write_only_attributes_allowed === true,
      }),
      ...recordErrors(attributes, config, firstProblems(problems)),
      ...zones.map((diagnostic) =>
        warningDiagnostic({ ...diagnostic, summary: 'Unknown time zone' }),
      ),
      ...slowPlans(resource, config),
    ],
  };
}

/** From so many targets of a policy on, Terraform takes seconds for each plan. */
const MANY_TARGETS = 300;

function slowPlans(resource: Resource, config: Value): Diagnostic[] {
  if (resource.name !== escalationPolicy.name) return [];
  const targets = listIn(config, 'steps').flatMap((step) => listIn(step, 'targets'));
  if (targets.length < MANY_TARGETS) return [];
  const detail =
    'Plan time grows with the square of the number of targets. Page a chat channel or an on-call schedule instead.';
  const summary = `The ${spoken(resource, config)} has ${targets.length} targets`;
  return [warningDiagnostic({ summary, detail })];
}

function listIn(value: Value, name: string): readonly Value[] {
  const list = fieldOf(value, name);
  return isList(list) ? list : [];
}
