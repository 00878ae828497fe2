/** A count with its noun: `1 minute`, `2 minutes`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The same of a span, whose unit is stored in the plural. */
export const spanText = (span: { readonly after: number; readonly unit: string }): string =>
  counted(span.after, span.unit.replace(/s$/, ''));
