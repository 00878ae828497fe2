/** A count with its noun: `1 minute`, `2 minutes`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Names, and how many there are beside those: `a, b and 3 more`. */
export const namesText = (names: readonly string[], more: number): string =>
  names.join(', ') + (more > 0 ? ` and ${more} more` : '');

/** A count with the unit of a span, which is stored in the plural. */
export const spanText = (span: { readonly after: number; readonly unit: string }): string =>
  counted(span.after, span.unit.replace(/s$/, ''));
