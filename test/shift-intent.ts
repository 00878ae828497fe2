// Notices of shifts as the watcher decides them, for tests of what becomes of them.
import type { ShiftIntent } from '../src/shifts/notice.ts';
import { later, noon } from './incident-life.ts';

type ShiftIntentFields = Partial<Omit<ShiftIntent, 'kind'>> & {
  readonly scheduleId?: string;
  readonly shiftEnd?: Temporal.Instant;
};

/** An hour of Ada's, told by e-mail; the key is made of the kind, the schedule and the address. */
export function buildShiftIntent(
  kind: ShiftIntent['kind'],
  options: ShiftIntentFields = {},
): ShiftIntent {
  const { scheduleId = '5'.repeat(24), shiftEnd = later(60), ...fields } = options;
  const { channel = 'email', address = 'ada@example.test' } = fields;
  const name = { id: 'e'.repeat(24), first_name: 'Ada', last_name: 'E', email: 'ada@example.test' };
  return {
    key: `${kind}/${scheduleId}/${channel}/${address}`,
    kind,
    channel,
    address,
    user_id: null,
    recipient: 'Ada E',
    mention: null,
    why: 'a test',
    skipped: null,
    story: {
      schedule: { id: scheduleId, name: 'Rota', timezone: 'Etc/UTC' },
      user: name,
      shift: kind === 'shift_change' ? null : { id: 'f'.repeat(24), start: noon, end: shiftEnd },
      taken_off: false,
      other: null,
      changes: kind === 'shift_change' ? [{ type: 'gained', start: noon, end: later(1) }] : [],
    },
    ...fields,
  };
}
