// How a secret may be given in a configuration, beyond what Terraform itself says.

import type { Problem } from '../../resources/declaration/resource.ts';
import { requiredMessage } from '../../resources/declaration/validate.ts';
import { fieldOf } from '../convert.ts';
import { type Diagnostic, errorDiagnostic, problemText } from '../diagnostics.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import { type WriteOnlySecret, writeOnlySecrets } from '../write-only.ts';

/** Of what is unknown it may turn out that it is not set. */
export const writeOnlyErrors = (
  attributes: readonly Attribute[],
  config: Value,
  { isAllowed }: { readonly isAllowed: boolean },
): Diagnostic[] => [
  ...writeOnlySecrets(attributes, config).flatMap((secret) =>
    secret.value !== null && !isAllowed
      ? [notAllowed(secret.attribute.writeOnly.value, secret.at)]
      : problemsOf(secret).map((problem) => errorDiagnostic(problemText(problem))),
  ),
  ...attributes
    .filter(({ name, endIn }) => endIn !== undefined && fieldOf(config, name) !== null)
    .flatMap(({ name }) => (isAllowed ? [] : [notAllowed(name)])),
];

function problemsOf({
  attribute,
  at,
  stored,
  value,
  version,
}: WriteOnlySecret): readonly Problem[] {
  const { name, writeOnly } = attribute;
  const isSet = (one: Value) => one !== null && !(one instanceof Unknown);
  if (isSet(stored) && isSet(value))
    return [
      {
        path: `${at}${name}`,
        message: `cannot be combined with ${writeOnly.value}: set only one of them`,
      },
    ];
  if (isSet(value) && version === null)
    return [{ path: `${at}${writeOnly.version}`, message: `is required with ${writeOnly.value}` }];
  if (isSet(version) && value === null)
    return [{ path: `${at}${writeOnly.value}`, message: `is required with ${writeOnly.version}` }];
  return [];
}

/** Those of providers that are made with HashiCorp's framework. */
const notAllowed = (name: string, at = ''): Diagnostic =>
  errorDiagnostic({
    summary: 'WriteOnly Attribute Not Allowed',
    detail: `The resource contains a non-null value for WriteOnly attribute ${name}. Write-only attributes are only supported in Terraform 1.11 and later.`,
    path: `${at}${name}`,
  });

/** What is wrong with a record, told of the attribute by which the secret is given. */
export function recordErrors(
  attributes: readonly Attribute[],
  config: Value,
  problems: readonly Problem[],
): Diagnostic[] {
  const secrets = new Map(writeOnlySecrets(attributes, config).map((one) => [pathOf(one), one]));
  return problems.map((problem) => {
    const { path, message } = problem;
    const secret = secrets.get(path);
    if (secret === undefined) return errorDiagnostic(problemText(problem));
    if (message === requiredMessage) return missing(secret);
    const isStored = secret.value === null;
    const name = isStored ? path : `${secret.at}${secret.attribute.writeOnly.value}`;
    return errorDiagnostic(problemText({ path: name, message }));
  });
}

const pathOf = ({ attribute, at }: WriteOnlySecret) => `${at}${attribute.name}`;

/** In the words of Terraform, to which the attribute is optional. */
function missing(secret: WriteOnlySecret): Diagnostic {
  const { name, writeOnly } = secret.attribute;
  return errorDiagnostic({
    summary: 'Missing required argument',
    detail: `The argument "${name}" is required, but no definition was found. To keep the value out of plans and states, set ${writeOnly.value} and ${writeOnly.version} instead.`,
    path: pathOf(secret),
  });
}
