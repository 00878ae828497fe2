import type { CompileExpression } from '../../resources/declaration/expression-compiler.ts';
import { mayHaveExpressions } from '../../resources/declaration/regular-expression.ts';
import { firstProblems } from '../../resources/declaration/resource.ts';
import { errorDiagnostic, problemText, warningDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import { problemsOf, unknownZones } from '../planning/checks.ts';
import { isMockedId } from '../planning/mocked-ids.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, received } from './dynamic-value.ts';
import { readOnlyErrors } from './read-only.ts';

/** What compiles regular expressions, loaded when it is asked for. */
export type LoadExpressions = () => Promise<CompileExpression>;

type Validating = Session & { readonly loadExpressions: LoadExpressions };

export async function validateResource(
  { managed, connection, loadExpressions }: Validating,
  { type_name, config: sent }: RequestOf<'ValidateResourceConfig'>,
): Promise<ResponseOf<'ValidateResourceConfig'>> {
  const { resource, attributes, type } = managedAs(managed, type_name);
  const config = received(type, sent);
  // Records without regular expressions need not wait.
  const compile = mayHaveExpressions(resource) ? await loadExpressions() : undefined;
  const problems = problemsOf(resource, config, compile).filter(
    (problem) => connection !== null || !isMockedId(config, problem),
  );
  const errors = firstProblems(problems).map(problemText);
  const zones = firstProblems(unknownZones(resource, config)).map(problemText);
  return {
    diagnostics: [
      ...readOnlyErrors(attributes, config),
      ...errors.map(errorDiagnostic),
      ...zones.map((diagnostic) =>
        warningDiagnostic({ ...diagnostic, summary: 'Unknown time zone' }),
      ),
    ],
  };
}
