// Where in a value something stands. It is written down only where somebody is told of it: a record
// may have a hundred thousand members.

/** A field of an object, a member of a list by its place, a member of a map by its name. */
export type Step = string | number | { readonly name: string };

/** Whoever walks a value adds the step that it takes, and removes it on the way back. */
export type Path = Step[];

/** As in `steps[0].escalate_after_minutes`; empty for the value itself. */
export function pathText(path: readonly Step[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'string') text += text === '' ? step : `.${step}`;
    else text += `[${typeof step === 'number' ? step : JSON.stringify(step.name)}]`;
  }
  return text;
}
