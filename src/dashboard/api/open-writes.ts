// Writes that are neither confirmed nor refused. Whoever sent one may be gone, since a dialog was
// closed or a page left: it goes on, and is shown until it is known what it came to.
import type { Answer, Failure } from '../../client/answer.ts';
import type { Request } from '../../client/client.ts';
import { forgetDrafts, hasDraft } from '../ui/drafts.ts';
import { pager } from './pager.ts';
import { createStore } from './store.ts';

export type Write = Pick<Request, 'path' | 'body' | 'version' | 'budget'> & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What the button says, where its page has several. */
  readonly name?: string;
};

/** Where it was sent: the title of the page, and its address. */
export type Origin = { readonly title: string; readonly address: string };

export type OpenWrite = {
  readonly id: number;
  readonly write: Write;
  /** The same for every try: it is done once. */
  readonly key: string;
  readonly origin: Origin;
  readonly isTriedAgain: boolean;
  /** Of one that was left. */
  readonly failure: Failure | null;
  readonly mayBeDone: boolean;
  /** Nothing else shows it. */
  readonly isLeft: boolean;
  /** Reads anew what it has changed. */
  readonly refresh: () => void;
};

export const openWrites = createStore<readonly OpenWrite[]>([]);
let lastId = 0;

type Begun = Pick<OpenWrite, 'write' | 'key' | 'origin' | 'refresh'>;

export function begin(begun: Begun): number {
  lastId += 1;
  const fresh = { isTriedAgain: false, failure: null, mayBeDone: false, isLeft: false };
  openWrites.set([...openWrites.get(), { ...begun, ...fresh, id: lastId }]);
  return lastId;
}

export async function send(id: number, onTry: (isAgain: boolean) => void): Promise<Answer> {
  const { write, key, refresh } = of(id) as OpenWrite;
  const { name: _, ...request } = write;
  const answer = await pager.client.send({
    ...request,
    idempotencyKey: key,
    onTry({ againInMs }) {
      change(id, { isTriedAgain: againInMs !== null });
      onTry(againInMs !== null);
    },
  });
  if (answer.ok || of(id)?.isLeft !== true) forget(id);
  else change(id, { failure: answer.failure, mayBeDone: answer.mayBeDone ?? false });
  refresh();
  return answer;
}

export const leave = (id: number): void => change(id, { isLeft: true });

export const forget = (id: number): void =>
  openWrites.set(openWrites.get().filter((one) => one.id !== id));

export function tryAgain(id: number): void {
  change(id, { failure: null, isTriedAgain: true });
  void send(id, () => {});
}

/** Whether a reload would lose something. */
export const isUnsaved = (): boolean => hasDraft() || openWrites.get().length > 0;

/** Before a reload that nothing holds up. */
export function forgetUnsaved(): void {
  forgetDrafts();
  openWrites.set([]);
}

const of = (id: number): OpenWrite | undefined => openWrites.get().find((one) => one.id === id);

const change = (id: number, changed: Partial<OpenWrite>): void =>
  openWrites.set(openWrites.get().map((one) => (one.id === id ? { ...one, ...changed } : one)));

// It is lost with the page.
addEventListener('beforeunload', (event) => {
  if (openWrites.get().some(({ isTriedAgain }) => isTriedAgain)) event.preventDefault();
});
