// A length of time as people set it: a number and its unit.
import { choice, wholeNumber } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';

const longest = { minutes: 1_440, hours: 168, days: 365 } as const;

/** Its fields; `until` ends the sentence "the number of units". */
export const span = (until: string) => ({
  after: wholeNumber({
    doc: `The number of units ${until}: up to 1440 minutes, 168 hours or 365 days.`,
    min: 1,
    max: 1_440,
  }),
  unit: choice(['minutes', 'hours', 'days'], { doc: 'The unit of after.' }),
});

/** minutes 1..1440, hours 1..168, days 1..365. */
export function checkSpan(
  path: string,
  value: { readonly after: number; readonly unit: keyof typeof longest } | undefined,
): Problem[] {
  return value && value.after > longest[value.unit]
    ? [{ path: `${path}.after`, message: `must be at most ${longest[value.unit]} ${value.unit}` }]
    : [];
}
