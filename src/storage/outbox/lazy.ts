/** Reads what is stored when it is asked for, and then keeps it; throws when it cannot be read. */
export type Lazy<T> = () => T;

export function memoized<T>(read: Lazy<T>): Lazy<T> {
  let known: { readonly of: T } | undefined;
  return () => {
    known ??= { of: read() };
    return known.of;
  };
}
