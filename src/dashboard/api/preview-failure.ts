import { type Failure, failureText, issuesText } from '../../client/answer.ts';

const inRecord = (path: string): string => path.replace(/^record\./, '');

/** Why nothing can be previewed: what is wrong with the draft, and where, or else the failure. */
export function previewFailure(failure: Failure, placeOf = inRecord): string {
  if (failure.type !== 'refused') return failureText(failure);
  const issues = failure.issues.map(({ path, message }) => ({
    path: placeOf(path),
    message,
  }));
  return issuesText({ ...failure, issues }) || failureText(failure);
}
