/** Reads what is stored when it is asked for, and then keeps it; throws when it cannot be read. */
export type Read<T> = () => T;

export function once<T>(read: Read<T>): Read<T> {
  let known: { readonly of: T } | undefined;
  return () => {
    known ??= { of: read() };
    return known.of;
  };
}
