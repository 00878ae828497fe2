// A weaker sign of an end is one only where its incident is open. Which is open the engine knows;
// what follows from it is decided here.
import type { AlertEvent } from './alert.ts';
import { isEndOf, type MarkedLine, readLine } from './marks.ts';
import { keyOf } from './text.ts';

/** The keys whose open incidents it depends on. */
export const keysOf = ({ dedup_key, in_doubt: doubt }: AlertEvent): readonly string[] =>
  doubt === undefined
    ? [dedup_key]
    : [dedup_key, ...doubt.keys, ...(doubt.trigger_key === undefined ? [] : [doubt.trigger_key])];

/**
 * The alert without its doubt: the end of the first of its keys that has something open, unless its
 * sign is a weaker one and the line tells of trouble beside the name of that. If it ends nothing, a
 * weaker sign triggers. `titles`: of what is open by a key.
 */
export function settled(alert: AlertEvent, titles: (key: string) => readonly string[]): AlertEvent {
  const { in_doubt: doubt, ...plain } = alert;
  if (doubt === undefined) return alert;
  for (const dedup_key of [alert.dedup_key, ...doubt.keys]) {
    const open = titles(dedup_key);
    const names = [dedup_key, ...open.map((title) => readLine(title).stem)];
    const isEnd = doubt.trigger_key === undefined || isEndOf(doubt.line, names, open);
    if (open.length > 0 && isEnd) return { ...plain, dedup_key };
  }
  if (doubt.trigger_key === undefined) return plain;
  const { former_key: former, ...others } = plain;
  const { trigger_key: dedup_key } = doubt;
  const isFormer = former === undefined || former === dedup_key;
  return {
    ...others,
    action: 'trigger',
    dedup_key,
    ...(!isFormer && { former_key: former }),
  };
}

/**
 * What an end depends on that is read in a line: on what is open by a weaker sign, and else no more
 * than which of its keys it ends. `key`: of its problem, which may be no line.
 */
export function doubtOf(line: MarkedLine, key: string): Pick<AlertEvent, 'in_doubt'> {
  const { bare, stem, sign, ends, opens = bare } = line;
  if (sign?.action !== 'resolve') return {};
  const isOfLine = key === keyOf(stem);
  const keys = isOfLine ? ends.map(keyOf).filter((one) => one !== key) : [];
  const trigger_key = keyOf(isOfLine ? opens : `${key} | ${bare}`);
  if (sign.isWeaker) return { in_doubt: { line: bare, keys, trigger_key } };
  return keys.length > 0 ? { in_doubt: { line: bare, keys } } : {};
}
