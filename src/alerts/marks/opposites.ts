// Words of an end whose problem says the opposite: Backup succeeded ends Backup failed.
import { senseOf } from '../senses.ts';
import { PICTURES } from './words-of-mark.ts';

/** Of each end what its problem may have said, the likeliest first. What is longer stands first. */
const opposites: readonly (readonly [end: string, ...problems: string[]])[] = [
  ['(?:(?:was|has) )?(?:completed|finished|ended|ran) successfully', 'failed'],
  ['started responding', 'stopped responding'],
  ['is responding again', 'is not responding', 'stopped responding'],
  ['responding again', 'not responding'],
  ['responding', 'not responding'],
  ['(?:back|wieder|weer|de nouveau|à nouveau|de nuevo) online', 'offline'],
  ['wieder erreichbar', 'nicht erreichbar', 'unerreichbar'],
  ['wieder verfügbar', 'nicht verfügbar'],
  ['(?:de nouveau |à nouveau )?en ligne', 'hors ligne'],
  ['(?:de nouveau|à nouveau) accessible', 'inaccessible'],
  ['a réussi', 'a échoué'],
  ['est rétablie?', 'est tombé', 'est en panne'],
  ['está no ar', 'fora do ar', 'está fora do ar'],
  ['no ar', 'fora do ar'],
  ['è di nuovo raggiungibile', 'non è raggiungibile'],
  ['di nuovo raggiungibile', 'non raggiungibile'],
  ['(?:weer )?bereikbaar', 'onbereikbaar', 'niet bereikbaar'],
  ['снова доступен', 'недоступен'],
  ['снова доступна', 'недоступна'],
  ['répond à nouveau', 'ne répond pas'],
  ['responde de nuevo', 'no responde'],
  ['läuft wieder', 'ausgefallen', 'läuft nicht'],
  ['erfolgreich', 'fehlgeschlagen'],
  ['(?:completed|finished)(?=[.!]?$)', 'failed'],
  ['success', 'failure', 'failed', 'error'],
  ['ok', 'error', 'failed', 'critical', 'warning'],
  ['cleared', 'triggered', 'raised', 'detected', 'alarm'],
  ['resolved', 'triggered', 'detected'],
  ['normal', 'high', 'critical', 'alarm'],
  ['up', 'down'],
  ['online', 'offline'],
  ['succeeded', 'failed'],
  ['successful', 'failed'],
  ['passed', 'failed'],
  ['restored', 'lost'],
  ['reachable', 'unreachable'],
  ['available', 'unavailable'],
  ['healthy', 'unhealthy'],
  ['connected', 'disconnected'],
  ['reconnected', 'disconnected'],
  ['accessible', 'inaccessible'],
];

const [before, behind] = ['(?<![-\\p{L}\\p{N}])', '(?![-\\p{L}\\p{N}])'];
const ENDS = new RegExp(`${before}(?:${opposites.map(([end]) => end).join('|')})${behind}`, 'giu');
const whole = opposites.map(([end, ...problems]) => ({
  form: new RegExp(`^(?:${end})$`, 'iu'),
  problems,
}));
const pictures = new RegExp(PICTURES, 'gu');

/** The lines of the problems of a sentence with one word of an end. */
export function opposed(text: string, line: string): readonly string[] {
  const matches = [...text.matchAll(ENDS)];
  const [only] = matches;
  if (only === undefined || matches.length > 1) return [];
  const [start, end] = [text.slice(0, only.index), text.slice(only.index + only[0].length)];
  // OK check
  if (/^(?:\[[^[\]]*\]\s*)*$/.test(start) && NAMING.test(only[0])) return [];
  if ((start + end).match(/[\p{L}'’]+/gu)?.some(isDenial)) return [];
  // Up 300%, backed up to.
  if (/^\s(?:to|by|for|from|and|but|\d)/i.test(end)) return [];
  const { problems = [] } = whole.find(({ form }) => form.test(only[0])) ?? {};
  const rest = line
    .slice(only.index + only[0].length)
    .replaceAll(pictures, '')
    .trimEnd();
  return problems.map((problem) => start + likeCase(problem, only[0]) + rest);
}

const NAMING = /^(?:ok|normal|resolved|cleared|success|up|online)$/i;

const isDenial = (word: string): boolean =>
  /^(?:but|however|although)$/i.test(word) ||
  senseOf(word) === 'denial' ||
  senseOf(word) === 'trouble';

function likeCase(word: string, like: string): string {
  if (like.length > 1 && like === like.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(like) ? word[0]?.toUpperCase() + word.slice(1) : word;
}
