// What somebody writes after `/pager` in a chat.
import { readCommand, readNumber, type Verb } from './verbs.ts';

/** What of a team somebody may run on an incident. */
export type Runnable = 'playbook' | 'webhook';

export type ChatCommand =
  | { readonly type: 'help' }
  /** It names no incident, so it can only be a reply in the thread of a page. `verb`: null if it has none. */
  | { readonly type: 'reply'; readonly verb: Verb | null }
  | { readonly type: 'link' }
  /** Of a schedule by its name; null: of all. */
  | { readonly type: 'who'; readonly schedule: string | null }
  | {
      readonly type: 'act';
      readonly action: Verb;
      readonly number: number;
      /** What else they wrote; empty: nothing. */
      readonly note: string;
    }
  /** Begins with the name of a service. */
  | { readonly type: 'page'; readonly text: string }
  | {
      readonly type: 'run';
      readonly what: Runnable;
      readonly number: number;
      readonly name: string;
    }
  /** It lacks something; with how it is written. */
  | { readonly type: 'unclear'; readonly usage: string };

const unclear = (usage: string): ChatCommand => ({ type: 'unclear', usage });

export function readChatCommand(text: string): ChatCommand {
  const [verb = '', ...others] = text.trim().split(/\s+/);
  const rest = text.trim().slice(verb.length).trim();
  const [number = '', ...name] = others;
  switch (verb.toLowerCase()) {
    case '':
    case 'help':
      return { type: 'help' };
    case 'who':
    case 'oncall':
    case 'on-call':
      return { type: 'who', schedule: unquoted(rest) || null };
    case 'page':
      return rest === '' ? unclear('page <service> <what is wrong>') : { type: 'page', text: rest };
    case 'link':
      return { type: 'link' };
    case 'playbook':
    case 'webhook': {
      const what = verb.toLowerCase() as Runnable;
      const incident = readNumber(number);
      if (incident === null || name.length === 0) return unclear(`${what} <number> <name>`);
      return { type: 'run', what, number: incident, name: unquoted(name.join(' ')) };
    }
    default:
      return actionOf(text);
  }
}

function actionOf(text: string): ChatCommand {
  const read = readCommand(text);
  if (read === null) return { type: 'reply', verb: null };
  const { action, number, note } = read;
  return number === null ? { type: 'reply', verb: action } : { type: 'act', action, number, note };
}

const unquoted = (text: string): string => text.replace(/^["“'](.*)["”']$/u, '$1').trim();

type Named = { readonly name: string };

/** Those of that name, as it is written if there are such, else in any case. */
export function calledSo<Each extends Named>(all: readonly Each[], name: string): readonly Each[] {
  const exact = all.filter((each) => each.name === name);
  if (exact.length > 0) return exact;
  return all.filter((each) => isSame(each.name, name));
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * A text that begins with the name of one of these, in any case and maybe in quotes, in two. The
 * longest name counts; several have it where nothing tells them apart. Null: it begins with none.
 */
export function splitAfterName<Each extends Named>(
  text: string,
  all: readonly Each[],
): { readonly named: readonly Each[]; readonly name: string; readonly rest: string } | null {
  const plain = text.replace(/^["“'](.*?)["”']/u, '$1');
  const matching = all.filter(({ name }) => {
    const after = plain.slice(name.length);
    return isSame(plain.slice(0, name.length), name) && (after === '' || /^[\s:,]/.test(after));
  });
  if (matching.length === 0) return null;
  const length = Math.max(...matching.map(({ name }) => name.length));
  const name = plain.slice(0, length);
  return {
    named: calledSo(matching, name),
    name,
    rest: plain.slice(length).replace(/^[\s:,]+/, ''),
  };
}
