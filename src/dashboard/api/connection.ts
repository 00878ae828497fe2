// Whether the server is heard. A browser that says it is offline is believed until something answers.
import { useSyncExternalStore } from 'react';
import type { Answer, Failure } from '../../client/answer.ts';

export type Connection = 'heard' | 'unanswered' | 'offline';

let now: Connection = navigator.onLine ? 'heard' : 'offline';
let heardAt = Date.now();
let offlineSince = heardAt;
const listeners = new Set<() => void>();

/** What came of a request that is not sent again. */
export function note(answer: Answer, sentAt: number): void {
  if (answer.ok || answer.failure.type === 'refused') {
    heardAt = Date.now();
    // What was on its way when the connection went says nothing.
    if (now !== 'offline' || sentAt > offlineSince) set('heard');
  } else if (answer.failure.type === 'unreachable' && now === 'heard') set('unanswered');
}

addEventListener('offline', () => {
  offlineSince = Date.now();
  set('offline');
});
addEventListener('online', () => set('heard'));

/** When the server was heard last: what is shown is of then. */
export const lastHeard = (): number => heardAt;

export const isHeard = (): boolean => now === 'heard';

export function onHeard(): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = subscribe(() => {
      if (now !== 'heard') return;
      unsubscribe();
      resolve();
    });
  });
}

export const isOffline = (): boolean => now === 'offline';

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => now);

/** Of a write that was not sent. */
export const offlineFailure = (): Failure => ({
  type: 'unreachable',
  address: location.origin,
  why: 'this device is offline',
  isLasting: true,
});

function set(next: Connection): void {
  if (next === now) return;
  now = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
