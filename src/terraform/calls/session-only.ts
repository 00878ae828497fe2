// What the API refuses to an API key, said by the plan: the apply would write others before it fails.
import { fieldOf } from '../convert.ts';
import { type Diagnostic, errorDiagnostic } from '../diagnostics.ts';
import { type Managed, spoken } from '../managed.ts';
import type { Value } from '../protocol/value.ts';

type Planned = { readonly prior: Value; readonly planned: Value };

export function sessionErrors(as: Managed, { prior, planned }: Planned): Diagnostic[] {
  const { resource } = as;
  if (planned === null) return [];
  const before = prior === null ? null : scalarsOf(as, prior);
  const problems = resource.sessionOnly(before, scalarsOf(as, planned));
  return problems.map(({ path, message }) => {
    const reason = `${path} ${message} by an API key, because anyone with a leaked key could keep that account. A signed-in admin can do this in the dashboard, under People.`;
    const known = fieldOf(planned, resource.knownBy);
    const next =
      prior === null
        ? `Invite the person there, then import them: terraform import ADDRESS ${known}\n\nOr create them here with another role.`
        : 'Then run terraform plan again. It shows no changes.';
    return errorDiagnostic({
      summary: `Could not plan the ${spoken(resource, prior ?? planned)}`,
      detail: `${reason}\n\n${next}`,
      path,
    });
  });
}

/** Without what is known only after the apply. */
const scalarsOf = ({ attributes }: Managed, value: Value): Record<string, unknown> =>
  Object.fromEntries(
    attributes
      .map(({ name }): [string, Value] => [name, fieldOf(value, name)])
      .filter(([, one]) => typeof one === 'string' || typeof one === 'boolean'),
  );
