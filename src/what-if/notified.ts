// Whom a change notifies as soon as it is saved, in sentences.
import type { ShiftIntent } from '../shifts/notice.ts';
import type { PreviewWarning } from './change-preview.ts';
import { listed } from './paging-words.ts';

/** As many are named. */
const NAMED = 5;

/** Who is notified, and who cannot be. */
export function notifiedWarnings(intents: readonly ShiftIntent[]): readonly PreviewWarning[] {
  const reasons = new Map<string, string | undefined>();
  for (const { user_id, recipient, skipped, written } of intents) {
    const name = recipient ?? user_id ?? '';
    // One channel that works is enough.
    if (!reasons.has(name) || (skipped ?? written) === undefined)
      reasons.set(name, skipped ?? written);
  }
  const reached = [...reasons].flatMap(([name, reason]) => (reason === undefined ? [name] : []));
  const failing = [...reasons].flatMap(([name, reason]) =>
    reason === undefined ? [] : [`${name} cannot be notified: ${reason}.`],
  );
  const messages = [
    ...(reached.length > 0 ? [`${listed(reached)} will be notified.`] : []),
    ...failing.slice(0, NAMED),
    ...(failing.length > NAMED ? [`${failing.length - NAMED} more cannot be notified.`] : []),
  ];
  return messages.map((message) => ({ code: 'notified', path: null, message }));
}
