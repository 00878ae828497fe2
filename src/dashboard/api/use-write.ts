import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Failure, Fields } from '../../client/answer.ts';
import type { Request } from '../../client/client.ts';
import { pager } from './pager.ts';

export type Write = Pick<Request, 'path' | 'body' | 'version' | 'budget'> & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
};

export type Writing = {
  readonly isPending: boolean;
  /** It was sent, and no answer has come yet; it is being sent again. */
  readonly isTriedAgain: boolean;
  readonly failure: Failure | null;
  /** Null: it failed, as `failure` says; or one before it has no answer yet, and it was not sent. */
  send(write: Write): Promise<Fields | null>;
  forget(): void;
};

type State = Omit<Writing, 'send' | 'forget'>;
const idle: State = { isPending: false, isTriedAgain: false, failure: null };

/** What is read by these keys is read anew after a write. */
export function useWrite(...stale: readonly (readonly unknown[])[]): Writing {
  const queries = useQueryClient();
  const [state, setState] = useState(idle);
  const isSending = useRef(false);
  const latest = useRef({ write: '', key: '' });
  return {
    ...state,
    async send(write) {
      if (isSending.current) return null;
      isSending.current = true;
      setState({ ...idle, isPending: true });
      const answer = await pager.client.send({
        ...write,
        idempotencyKey: keyOf(write, latest),
        onTry: ({ againInMs }) => setState((now) => ({ ...now, isTriedAgain: againInMs !== null })),
      });
      isSending.current = false;
      const isOpen = !answer.ok && answer.mayBeDone;
      if (!isOpen) latest.current = { write: '', key: '' };
      setState(answer.ok ? idle : { ...idle, failure: answer.failure });
      for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
      return answer.ok ? answer.body : null;
    },
    forget: () => setState(idle),
  };
}

/** A write whose answer was lost goes again under its key, and is done once. */
function keyOf(write: Write, latest: { current: { write: string; key: string } }): string {
  const text = JSON.stringify(write);
  if (latest.current.write !== text) latest.current = { write: text, key: randomKey() };
  return latest.current.key;
}

/** Over plain HTTP browsers have no randomUUID(). */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
