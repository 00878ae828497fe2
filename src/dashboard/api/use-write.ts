import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Failure, Fields } from '../../client/answer.ts';
import { shownTitle } from '../shell/use-title.ts';
import { isOffline, offlineFailure } from './connection.ts';
import { begin, leave, send, type Write } from './open-writes.ts';

export type Writing = {
  readonly isPending: boolean;
  /** It was sent, and no answer has come yet; it is being sent again. */
  readonly isTriedAgain: boolean;
  readonly failure: Failure | null;
  /**
   * Null: it failed, as `failure` says; or one before it has no answer yet, and it was not sent; or
   * nobody waits for it here any more.
   */
  send(write: Write): Promise<Fields | null>;
  forget(): void;
};

type State = Omit<Writing, 'send' | 'forget'>;
const idle: State = { isPending: false, isTriedAgain: false, failure: null };

/** What is read by these keys is read anew after a write. */
export function useWrite(...stale: readonly (readonly unknown[])[]): Writing {
  const queries = useQueryClient();
  const [state, setState] = useState(idle);
  const sending = useRef<number | null>(null);
  const latest = useRef({ write: '', key: '' });
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      if (sending.current !== null) leave(sending.current);
    };
  }, []);
  return {
    ...state,
    async send(write) {
      if (sending.current !== null) return null;
      if (isOffline()) {
        setState({ ...idle, failure: offlineFailure() });
        return null;
      }
      const id = begin({
        write,
        key: keyOf(write, latest),
        origin: { title: shownTitle(), address: location.pathname },
        refresh() {
          for (const queryKey of stale) void queries.invalidateQueries({ queryKey });
        },
      });
      sending.current = id;
      setState({ ...idle, isPending: true });
      const answer = await send(id, (isTriedAgain) =>
        setState((now) => ({ ...now, isTriedAgain })),
      );
      sending.current = null;
      const isOpen = !answer.ok && answer.mayBeDone;
      if (!isOpen) latest.current = { write: '', key: '' };
      setState(answer.ok ? idle : { ...idle, failure: answer.failure });
      return answer.ok && isThere.current ? answer.body : null;
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
