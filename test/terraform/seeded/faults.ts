// What happens to requests on their way to the API, and to its answers, by the luck of a seed.
import { createHash } from 'node:crypto';
import { Luck } from '../../simulation/luck.ts';
import type { ApiProxy, Page, Passing } from '../proxy.ts';

type Before = 'lost before' | 'page before' | 'refused before' | 'never' | 'done too late';
type After = 'lost' | 'cut' | 'page' | 'no id' | 'internal' | 'never answered' | 'late';
export type Fault = Before | After;

const before: readonly Before[] = [
  'lost before',
  'page before',
  'refused before',
  'never',
  'done too late',
];
const after: readonly After[] = [
  'lost',
  'cut',
  'page',
  'no id',
  'internal',
  'never answered',
  'late',
];

export type Trouble = {
  readonly seed: string;
  /** Of each request. */
  readonly chances: { readonly reads: number; readonly writes: number };
  /** The same text in every run for the same request. */
  readonly stable: (text: string) => string;
  readonly onFault: (fault: Fault, passing: Passing) => void;
  /** Told of every write twice: when it comes, and when the API has done it. */
  readonly onWrite: (passing: Passing, answer?: string) => void;
};

export function calm(proxy: ApiProxy): void {
  proxy.instead = () => undefined;
  proxy.done = async () => undefined;
}

export function trouble(proxy: ApiProxy, { seed, chances, stable, ...callbacks }: Trouble): void {
  const tries = new Map<string, number>();
  const met = new WeakMap<Passing, { readonly fault: Fault; readonly luck: Luck }>();
  let next = Promise.withResolvers<void>();

  /** By what is asked, not by when: requests come in another order in every run. */
  function meet(passing: Passing): void {
    const line = stable(`${passing.method} ${passing.path} ${passing.body}`);
    const tried = tries.get(line) ?? 0;
    tries.set(line, tried + 1);
    const hash = createHash('sha256').update(`${seed} ${tried} ${line}`).digest();
    const luck = new Luck(hash.readUInt32LE());
    if (!luck.chance(isWrite(passing) ? chances.writes : chances.reads)) return;
    const fault = luck.of([...before, ...after]);
    met.set(passing, { fault, luck });
    callbacks.onFault(fault, passing);
  }

  proxy.instead = async (passing) => {
    next.resolve();
    next = Promise.withResolvers();
    meet(passing);
    if (isWrite(passing)) callbacks.onWrite(passing);
    const { fault, luck } = met.get(passing) ?? {};
    switch (fault) {
      case 'lost before':
        return 'lost';
      case 'page before':
        return pageOf(passing, luck);
      case 'refused before':
        return luck?.of(refusals);
      case 'never':
        await passing.left;
        return 'lost';
      case 'done too late':
        await passing.left;
        return undefined;
      default:
        return undefined;
    }
  };

  proxy.done = async (passing, answer) => {
    if (isWrite(passing)) callbacks.onWrite(passing, answer);
    const { fault, luck } = met.get(passing) ?? {};
    switch (fault) {
      case 'lost':
      case 'cut':
        return fault;
      case 'page':
        return pageOf(passing, luck);
      case 'no id':
        return { status: passing.method === 'POST' ? 201 : 200, type: json, text: '{}' };
      case 'internal':
        return { status: 500, type: json, text: JSON.stringify(refusal('internal')) };
      case 'never answered':
        await passing.left;
        return 'lost';
      case 'late':
        await Promise.race([next.promise, passing.left]);
        return undefined;
      default:
        return undefined;
    }
  };
}

const isWrite = ({ method }: Passing) => method !== 'GET';

const json = 'application/json';
const refusal = (error: string) => ({ error, message: 'Not now.', issues: [], request_id: 'r' });
const refusals = [
  { status: 429, body: refusal('rate_limited') },
  { status: 503, body: refusal('unavailable') },
  { status: 503, body: refusal('restoring') },
];

/** Of something that quotes what it was sent. */
function pageOf({ headers, body }: Passing, luck: Luck | undefined): Page {
  const text = `<h1>Sorry</h1><pre>${JSON.stringify(headers)}\n${body}</pre>`;
  const status = luck?.of([524, 500, 502, 408, 403, 404, 302, 200]) ?? 500;
  return { status, type: 'text/html', text };
}
