// What the address of the audit log says besides its path.
export const filterNames = ['actor', 'type', 'record', 'action', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
/** `from` and `to` are days where the reader is. */
export type AuditSearch = { readonly [name in FilterName]?: string };

const shapes: Readonly<Record<FilterName, RegExp>> = {
  actor: /^[0-9a-f]{24}$/,
  type: /^[a-z_]+$/,
  record: /^[0-9a-f]{24}$/,
  action: /^[a-z_]+$/,
  from: /^\d{4}-\d\d-\d\d$/,
  to: /^\d{4}-\d\d-\d\d$/,
};

/** What is not understood narrows nothing. */
export const auditSearch = (search: Record<string, unknown>): AuditSearch =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && shapes[name].test(value) ? [[name, value]] : [];
    }),
  );
