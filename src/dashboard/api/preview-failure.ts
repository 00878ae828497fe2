import { type Failure, failureText, issuesText } from '../../client/answer.ts';

/** Why nothing can be previewed: what is wrong with the draft, or else the failure. */
export function previewFailure(failure: Failure): string {
  if (failure.type !== 'refused') return failureText(failure);
  const issues = failure.issues.map(({ path, message }) => ({
    path: path.replace(/^record\./, ''),
    message,
  }));
  return issuesText({ ...failure, issues }) || failureText(failure);
}
