// A record that the API says it does not have.
import type { Resource } from '../../resources/declaration/resource.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';
import type { Connection } from '../session.ts';
import { ofAnotherOrganization, unseen } from './failures.ts';

type Missing = {
  readonly resource: Resource;
  readonly prior: Value;
  /** The organisation that it was last seen in. */
  readonly known: string | undefined;
};

/** Whether it is gone: not when the API key is of another organisation. */
export async function missingFrom(
  { organization }: Connection,
  { resource, prior, known }: Missing,
): Promise<{ readonly isGone: boolean; readonly diagnostic: Diagnostic }> {
  const keyOf = known && (await organization.id());
  if (!known || !keyOf || keyOf === known)
    return { isGone: true, diagnostic: unseen(resource, prior) };
  const diagnostic = ofAnotherOrganization(resource, prior, { of: known, keyOf });
  return { isGone: false, diagnostic };
}
