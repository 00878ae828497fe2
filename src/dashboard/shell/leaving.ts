/** A page, as its address says. */
type Place = { readonly pathname: string; readonly search: object };

const tabOf = ({ search }: Place): unknown => 'tab' in search && search.tab;

/** Whether what is typed goes with the page: the rest of an address changes what it shows. */
export const isLeft = (current: Place, next: Place): boolean =>
  current.pathname !== next.pathname || tabOf(current) !== tabOf(next);
