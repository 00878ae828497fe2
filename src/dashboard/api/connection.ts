// Whether the server is heard. A browser that says it is offline is believed until something answers.
import type { Answer, Failure } from '../../client/answer.ts';
import { createStore } from './store.ts';

export type Connection = 'heard' | 'unanswered' | 'offline';

export const connection = createStore<Connection>(navigator.onLine ? 'heard' : 'offline');
let heardAt = Date.now();
let offlineSince = heardAt;

/** What came of a request that is not sent again. */
export function note(answer: Answer, sentAt: number): void {
  if (answer.ok || answer.failure.type === 'refused') {
    heardAt = Date.now();
    // What was on its way when the connection went says nothing.
    if (!isOffline() || sentAt > offlineSince) connection.set('heard');
  } else if (answer.failure.type === 'unreachable' && isHeard()) connection.set('unanswered');
}

addEventListener('offline', () => {
  offlineSince = Date.now();
  connection.set('offline');
});
addEventListener('online', () => connection.set('heard'));

/** When the server was heard last: what is shown is of then. */
export const lastHeard = (): number => heardAt;

export const isHeard = (): boolean => connection.get() === 'heard';

export function onHeard(): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = connection.subscribe(() => {
      if (!isHeard()) return;
      unsubscribe();
      resolve();
    });
  });
}

export const isOffline = (): boolean => connection.get() === 'offline';

/** Of a write that was not sent. */
export const offlineFailure = (): Failure => ({
  type: 'unreachable',
  address: location.origin,
  why: 'this device is offline',
  isLasting: true,
});
