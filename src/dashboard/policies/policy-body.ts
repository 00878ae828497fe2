import type { Problem } from '../../resources/declaration/resource.ts';
import { bodyOf, type Draft, draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { resourceOf } from '../records/declared.ts';
import { policies } from './kind.ts';

type Of = { readonly id: string | undefined; readonly team_id: string | undefined };

/** A policy as POST /simulate takes it. */
export const policyBody = (draft: Draft, { id, team_id }: Of): Draft => ({
  ...bodyOf(fieldsOf(resourceOf(policies)), draft),
  ...(id !== undefined && { id }),
  ...(team_id !== undefined && { team_id }),
});

export const policyBodyOf = (record: Draft & { readonly id: string; readonly team_id: string }) =>
  policyBody(draftOf(fieldsOf(resourceOf(policies)), record), record);

/** Whoever it pages does not depend on what else is missing. */
export const isPageable = (problems: readonly Problem[]): boolean =>
  problems.every(({ path }) => !/^(steps|delay)/.test(path));
