// Regular expressions in conditions. The compiler is an argument because it takes long to load: the
// Terraform provider loads it only for rules.
import { incidentsLimits } from '../../limits/incidents.ts';
import type { ConditionGroups } from '../condition.ts';
import type { CompileExpression } from './expression-compiler.ts';
import type { Problem, Resource } from './resource.ts';

/** Conditions are the only place of regular expressions. */
export const mayHaveExpressions = ({ fields }: Pick<Resource, 'fields'>): boolean =>
  'condition_groups' in fields;

/** Regular expressions that do not compile, each at its path. */
export function expressionProblems(
  groups: ConditionGroups = [],
  compile?: CompileExpression,
): readonly Problem[] {
  if (compile === undefined) return [];
  const problems: Problem[] = [];
  let size = 0;
  for (const { path, source } of expressionsIn(groups)) {
    const compiled = compile(source);
    if ('problem' in compiled) problems.push({ path, message: compiled.problem });
    else size += compiled.size;
    if (size <= incidentsLimits.expressionsSize) continue;
    const message = 'is too large a regular expression in total with those before it';
    return [...problems, { path, message }];
  }
  return problems;
}

const expressionsIn = (groups: ConditionGroups) =>
  // Conditions that could not be read are absent.
  groups.flatMap(({ conditions = [] }, group) =>
    conditions.flatMap((condition, index) =>
      'text' in condition && /^(matches|doesNotMatch)$/.test(condition.comparator)
        ? [{ path: `condition_groups[${group}].conditions[${index}].text`, source: condition.text }]
        : [],
    ),
  );
