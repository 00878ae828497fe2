// What goes to a thread and comes back is cloned, which times cannot be: they travel as big whole
// numbers, of which nothing else here is one.

/** The value with its times as they travel; what holds none is the same value. */
export const packed = <Value>(value: Value): Value => mapped(value, pack) as Value;

/** The value as it was before it was packed. */
export const unpacked = <Value>(value: Value): Value => mapped(value, unpack) as Value;

function pack(value: unknown): unknown {
  if (typeof value === 'bigint') throw new TypeError('a bigint would arrive as a time');
  return value instanceof Temporal.Instant ? value.epochNanoseconds : value;
}

const unpack = (value: unknown): unknown =>
  typeof value === 'bigint' ? Temporal.Instant.fromEpochNanoseconds(value) : value;

type Change = (value: unknown) => unknown;

/** The value with whatever stands in it changed; where nothing is, it is the same value. */
export function mapped(value: unknown, change: Change): unknown {
  const changed = change(value);
  if (changed !== value || typeof value !== 'object' || value === null) return changed;
  if (Array.isArray(value)) return mappedMembers(value, change);
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, mapped(one, change)]));
  return Object.getPrototypeOf(value) === Object.prototype ? mappedFields(value, change) : value;
}

function mappedMembers(members: readonly unknown[], change: Change): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, one] of members.entries()) {
    const other = mapped(one, change);
    if (other === one) continue;
    changed ??= [...members];
    changed[index] = other;
  }
  return changed ?? members;
}

function mappedFields(fields: object, change: Change): object {
  let changed: [string, unknown][] | undefined;
  const entries = Object.entries(fields);
  for (const [index, [name, one]] of entries.entries()) {
    const other = mapped(one, change);
    if (other === one) continue;
    changed ??= [...entries];
    changed[index] = [name, other];
  }
  return changed ? Object.fromEntries(changed) : fields;
}
