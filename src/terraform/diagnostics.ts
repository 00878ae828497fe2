// What Terraform shows to people, at the line of their configuration that it is about.
import type { Problem } from '../resources/declaration/resource.ts';
import { type diagnostic, severity } from './protocol/messages.ts';
import type { Draft } from './protocol/protobuf.ts';

export type Diagnostic = Draft<typeof diagnostic>;

/** In the place of what could not be read. */
export type Wrong = { readonly type: 'wrong'; readonly diagnostics: readonly Diagnostic[] };
export const wrong = (diagnostic: Diagnostic): Wrong => ({
  type: 'wrong',
  diagnostics: [diagnostic],
});

type DiagnosticOptions = {
  readonly summary: string;
  readonly detail?: string;
  /** As in a Problem of `resources`: steps[0].targets[1].via */
  readonly path?: string | undefined;
};

export const errorDiagnostic = (options: DiagnosticOptions): Diagnostic =>
  at(severity.error, options);
export const warningDiagnostic = (options: DiagnosticOptions): Diagnostic =>
  at(severity.warning, options);

/** The text has the whole path: Terraform may show less of it. */
export const problemText = ({ path, message }: Problem): DiagnosticOptions => ({
  summary: `Invalid ${path || 'value'}`,
  detail: `${path} ${message}.`.trim(),
  path,
});

function at(severity: number, { summary, detail, path }: DiagnosticOptions): Diagnostic {
  const attribute = path === undefined ? undefined : { steps: pathSteps(path) };
  return { severity, summary, detail, attribute };
}

// Before Terraform 1.15 a longer path is shown at the head of the whole resource.
const stepsMax = 2;

function pathSteps(path: string) {
  const steps = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[]+/g);
  return Array.from(steps, ([name, index, key]) => {
    if (index !== undefined) return { element_key_int: Number(index) };
    return key === undefined ? { attribute_name: name } : { element_key_string: JSON.parse(key) };
  }).slice(0, stepsMax);
}
