import { useState } from 'react';
import type { Failure } from '../../../client/answer.ts';
import { type Form, type Mapping, withChange } from './mapping.ts';
import { mappingPath, useRequest } from './queries.ts';
import { words } from './words.ts';

/** The ids of two events; empty: none is marked. */
export type Marks = { readonly firing: string; readonly recovered: string };

export type Suggesting = {
  readonly isPending: boolean;
  readonly failure: Failure | null;
  /** What the last suggestion came to. */
  readonly outcome: string | null;
  readonly suggest: (marks: Marks) => void;
};

type Use = { forms: readonly Form[]; use: (forms: readonly Form[]) => void };

/** What is suggested replaces the same fields of the first form. */
export function useSuggesting(id: string, { forms, use }: Use): Suggesting {
  const { send, isPending, failure } = useRequest<Pick<Mapping, 'forms'>>(
    `${mappingPath(id)}/suggest`,
  );
  const [outcome, setOutcome] = useState<string | null>(null);
  async function suggest({ firing, recovered }: Marks) {
    setOutcome(null);
    const answer = await send({ firing, recovered });
    if (answer === null) return;
    const [suggested] = answer.forms;
    setOutcome(suggested ? words.suggested : words.notSuggested);
    // Without a list, its places start at the top.
    if (suggested) use(withChange(forms, { each: undefined, ...suggested }));
  }
  return { isPending, failure, outcome, suggest: (marks) => void suggest(marks) };
}
