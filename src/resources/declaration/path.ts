// Where in a value something stands. It is written down only where somebody is told of it: a record
// may have a hundred thousand members.
export type Path = {
  readonly within: Path;
  /** Of an object, or a member: of a list by its place, of a map by its name. */
  readonly step: { readonly field: string } | { readonly member: string | number };
} | null;

export const inField = (within: Path, field: string): Path => ({ within, step: { field } });
export const inMember = (within: Path, member: string | number): Path => ({
  within,
  step: { member },
});

/** As in `steps[0].escalate_after_minutes`; empty for the value itself. */
export function pathText(path: Path): string {
  if (path === null) return '';
  const { within, step } = path;
  const before = pathText(within);
  if ('member' in step) return `${before}[${JSON.stringify(step.member)}]`;
  return before === '' ? step.field : `${before}.${step.field}`;
}
