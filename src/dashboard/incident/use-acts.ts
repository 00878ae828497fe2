import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import type { Incident } from './incident.ts';
import { useShow } from './queries.ts';
import { actionNames } from './words.ts';

/** On a bad network an acknowledgement is wanted for as long as somebody waits for it. */
const patiently = { retriesMax: 40, totalMs: 5 * 60_000 };

export type Acts = ReturnType<typeof useActs>;

/** One at a time; what it came to is shown once the API has confirmed it. */
export function useActs(id: string) {
  const write = useWrite(['incidents']);
  const show = useShow(id);
  const [last, setLast] = useState<{ action: string; body: object } | null>(null);

  async function act(action: string, body: object = {}): Promise<boolean> {
    if (write.isPending) return false;
    setLast({ action, body });
    const path = `/incidents/${id}/${action}`;
    const name = actionNames[action] ?? action;
    const answer = await write.send({ method: 'POST', path, body, name, budget: patiently });
    if (answer === null) return false;
    setLast(null);
    // What this version of the API answers, as docs/openapi.json has it.
    show(answer as unknown as Incident);
    return true;
  }
  return {
    act,
    /** What is under way. */
    pending: write.isPending ? (last?.action ?? null) : null,
    isTriedAgain: write.isTriedAgain,
    failure: write.failure,
    again: () => last && void act(last.action, last.body),
    forget: write.forget,
  };
}
