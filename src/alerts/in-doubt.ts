// A weaker sign of an end is one only where its incident is open. Which is open the engine knows;
// what follows from it is decided here.
import type { AlertEvent } from './alert.ts';
import { isEndOf, readLine } from './marks.ts';

/** The keys whose open incidents it depends on. */
export const keysOf = ({ dedup_key, in_doubt }: AlertEvent): readonly string[] =>
  in_doubt === undefined ? [dedup_key] : [dedup_key, ...in_doubt.keys, in_doubt.trigger_key];

/**
 * The alert without its doubt: the end of the first of its keys that has something open, unless the
 * line tells of trouble beside the name of that; else a trigger. `titles`: of what is open by a key.
 */
export function settled(alert: AlertEvent, titles: (key: string) => readonly string[]): AlertEvent {
  const { in_doubt: doubt, ...plain } = alert;
  if (doubt === undefined) return alert;
  for (const dedup_key of [alert.dedup_key, ...doubt.keys]) {
    const open = titles(dedup_key);
    const names = [dedup_key, ...open.map((title) => readLine(title).stem)];
    if (open.length > 0 && isEndOf(doubt.line, names)) return { ...plain, dedup_key };
  }
  const { former_key: former, ...others } = plain;
  const { trigger_key: dedup_key } = doubt;
  const isFormer = former === undefined || former === dedup_key;
  return {
    ...{ ...others, action: 'trigger', dedup_key },
    ...(!isFormer && { former_key: former }),
  };
}
