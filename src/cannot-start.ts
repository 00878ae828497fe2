// What the operator must put right before a server can start: told in a sentence, for where in the
// code it was found helps nobody.
import { type Address, addressText } from './config.ts';

export class CannotStart extends Error {}

type Listening = Address & { readonly setting: string };

/** Listens, or says which setting to change. */
export async function listenOn<Result>(
  { setting, ...address }: Listening,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const trouble = troubles[code];
    if (trouble === undefined) throw error;
    throw new CannotStart(`${setting} is ${addressText(address)}, and ${trouble}.`);
  }
}

const troubles: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program, perhaps Pager itself, listens there: stop it, or set another port',
  EACCES: 'this user is not allowed to listen there: ports below 1024 are for root',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'that name has no address',
  EAI_AGAIN: 'that name has no address now',
};
