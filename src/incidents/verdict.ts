// The verdict on an incident: whether it was worth a page, as people say once it is resolved.
import type { Verdict } from '../resources/verdicts.ts';
import {
  type Actor,
  entry,
  type Incident,
  isOpen,
  noted,
  type Outcome,
  only,
  type Refused,
} from './incident.ts';

export type SetVerdict = {
  readonly type: 'set_verdict';
  readonly by: Actor;
  /** Null removes it. */
  readonly to: Verdict | null;
};

/** A later answer replaces the one before. A reopened incident keeps its answer: nobody is asked twice. */
export function setVerdict(
  incident: Incident,
  { by, to }: SetVerdict,
  now: Temporal.Instant,
): Outcome | Refused {
  if (isOpen(incident)) return { refused: `INC-${incident.number} is not resolved yet` };
  if (incident.merged_into_id !== null)
    return { refused: `INC-${incident.number} was merged into another incident` };
  if (incident.is_test) return { refused: `INC-${incident.number} is a test` };
  const { verdict } = incident;
  if (verdict === to) {
    const why = to === null ? 'it had none' : `it was already ${words[to]}`;
    return only(incident, noted(incident, by, 'set the verdict', why));
  }
  const changed: Incident = {
    ...incident,
    verdict: to,
    verdict_by: to && by,
    verdict_at: to && now,
  };
  const text = to ? `${by.name} set the verdict to ${words[to]}` : `${by.name} removed the verdict`;
  return only(changed, entry(incident, 'verdict', text, { actor: by }));
}

const words: Readonly<Record<Verdict, string>> = {
  real: 'real',
  false_alarm: 'false alarm',
  nothing_to_do: 'nothing to do',
  unclear: 'unclear',
};
