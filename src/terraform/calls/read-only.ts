// What a configuration must leave to the service. Terraform itself does not refuse it.
import { fieldOf } from '../convert.ts';
import { type Diagnostic, errorDiagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';

/** Also of what is unknown: nothing is right there but null. */
export const readOnlyErrors = (attributes: readonly Attribute[], config: Value): Diagnostic[] =>
  attributes
    .filter(({ name, set }) => set === 'computed' && fieldOf(config, name) !== null)
    .map(({ name }) => errorDiagnostic({ ...words, path: name }));

/** Those of providers that are made with HashiCorp's framework. */
const words = {
  summary: 'Invalid Configuration for Read-Only Attribute',
  detail:
    'Cannot set value for this attribute as the provider has marked it as read-only. Remove the configuration line setting the value.',
};
