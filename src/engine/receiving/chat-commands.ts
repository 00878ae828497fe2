// What somebody writes after `/pager` in a chat.
import { type Command, readCommand } from './verbs.ts';

/** What of a team somebody may run on an incident. */
export type Runnable = 'playbook' | 'webhook';

export type ChatCommand =
  | { readonly type: 'help' }
  | { readonly type: 'link' }
  /** Of a schedule by its name; null: of all. */
  | { readonly type: 'who'; readonly schedule: string | null }
  | { readonly type: 'act'; readonly action: Command['action']; readonly number: number }
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
      const incident = numberOf(number);
      if (incident === null || name.length === 0) return unclear(`${what} <number> <name>`);
      return { type: 'run', what, number: incident, name: unquoted(name.join(' ')) };
    }
    default:
      return actionOf(text);
  }
}

function actionOf(text: string): ChatCommand {
  const read = readCommand(text);
  if (read === null) return { type: 'help' };
  const { action, number } = read;
  return number === null ? unclear(`${action} <number>`) : { type: 'act', action, number };
}

/** As the verbs have it: `42`, `#42` or `INC-42`. */
const numberOf = (word: string): number | null => readCommand(`ack ${word}`)?.number ?? null;

const unquoted = (text: string): string => text.replace(/^["“'](.*)["”']$/u, '$1').trim();

/**
 * A text that begins with one of these names, in any case and maybe in quotes, in two. The longest
 * name counts. Null: it begins with none.
 */
export function splitAfterName(
  text: string,
  names: readonly string[],
): { readonly name: string; readonly rest: string } | null {
  const plain = text.replace(/^["“'](.*?)["”']/u, '$1');
  const lower = plain.toLowerCase();
  const matching = names.filter((name) => {
    const after = lower.slice(name.length);
    return lower.startsWith(name.toLowerCase()) && (after === '' || /^[\s:,]/.test(after));
  });
  const [longest] = matching.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  return { name: longest, rest: plain.slice(longest.length).replace(/^[\s:,]+/, '') };
}
