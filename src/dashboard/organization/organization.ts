// The settings of the organization as a form has them, and what a save changes of them.
import { objectOf } from '../../resources/declaration/field.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { organization, organizationFields } from '../../resources/organization.ts';
import { type Draft, draftOf } from '../form/draft.ts';
import type { Field } from '../form/form.ts';
import type { NameOf } from '../form/picks.ts';
import { textOf } from '../form/text.ts';
import { isSame } from '../ui/edits.ts';
import { UTC } from '../ui/zones.ts';

export type Organization = Readonly<Record<string, unknown>> & { readonly version: number };

/** As the API takes it: in Terraform, name and time zone are optional. */
export const settings: Resource = {
  ...organization,
  input: objectOf(organizationFields, organization.doc),
};

export type Change = {
  readonly name: string;
  readonly label: string;
  readonly before: string;
  readonly after: string;
};

type Sides = { readonly before: Draft; readonly after: Draft };

/** Each field that differs, as people read it; groups are compared field by field. */
export function changesOf(
  fields: readonly Field[],
  { before, after }: Sides,
  nameOf: NameOf,
): readonly Change[] {
  return fields.flatMap(({ name, label, widget }): readonly Change[] => {
    const [old, next] = [before[name], after[name]];
    if (isSame(old, next)) return [];
    if (widget.type === 'object') {
      const inside = { before: (old ?? {}) as Draft, after: (next ?? {}) as Draft };
      return changesOf(widget.fields, inside, nameOf).map((one) => ({
        ...one,
        name: `${name}.${one.name}`,
        label: `${label}: ${one.label}`,
      }));
    }
    return [
      { name, label, before: textOf(widget, old, nameOf), after: textOf(widget, next, nameOf) },
    ];
  });
}

/** That of the browser, while nobody has chosen another one than UTC. */
export const zoneToOffer = (chosen: unknown, own: string): string | undefined =>
  (chosen === UTC || chosen === 'UTC') && own !== UTC && own !== 'UTC' ? own : undefined;

/** Only what the form has. */
export const readDraft =
  (fields: readonly Field[]) =>
  (record: Organization): Draft =>
    draftOf(fields, record);
