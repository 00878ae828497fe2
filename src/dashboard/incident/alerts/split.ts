// What the API says about a split: problems of single alerts are shown at them.
import type { Failure } from '../../../client/answer.ts';
import type { Problem } from '../../../resources/declaration/resource.ts';

export const problemOfAlert = (failure: Failure | null, index: number): Problem | undefined =>
  failure?.type === 'refused'
    ? failure.issues.find(({ path }) => path === `alert_ids[${index}]`)
    : undefined;

/** What is left to say once those are shown. */
export const withoutAlerts = (failure: Failure): Failure =>
  failure.type === 'refused'
    ? {
        ...failure,
        issues: failure.issues.filter(({ path }) => !/^alert_ids\[\d+\]$/.test(path)),
      }
    : failure;
