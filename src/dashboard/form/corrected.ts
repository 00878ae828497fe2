// Of what the server refused, what the draft has corrected since.
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { isSame } from '../ui/edits.ts';
import { namesIn, pathsNamed } from '../ui/problem-words.ts';
import { problemsOf } from './check.ts';
import type { Draft } from './draft.ts';
import { fieldsOf } from './form.ts';
import { fieldFor, fieldsShown } from './parts.ts';

type Drafts = { readonly sent: Draft; readonly draft: Draft };

/** A problem is gone once its field is changed, or another that it names, or its rule is kept. */
export function uncorrected(
  resource: Resource,
  refused: readonly Problem[],
  { sent, draft }: Drafts,
): readonly Problem[] {
  if (refused.length === 0) return refused;
  const [before, shown] = [sent, draft].map((one) => fieldsShown(fieldsOf(resource), one)) as [
    ReadonlyMap<string, unknown>,
    ReadonlyMap<string, unknown>,
  ];
  const isChanged = (path: string): boolean => {
    const field = fieldFor(path, shown);
    return field !== undefined && !isSame(shown.get(field), before.get(field));
  };
  const has = (problems: readonly Problem[], { path, message }: Problem) =>
    problems.some((one) => one.path === path && one.message === message);
  const [known, left] = [problemsOf(resource, sent), problemsOf(resource, draft)];
  return refused.filter((problem) => {
    const { path, message } = problem;
    if (isChanged(path) || (has(known, problem) && !has(left, problem))) return false;
    return !namesIn(message).some((name) => pathsNamed(path, name).some(isChanged));
  });
}
