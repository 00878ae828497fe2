// Random valid configurations of the records.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Layer } from '../../src/resources/oncall-schedule.ts';
import { fromJson, toJson } from '../../src/terraform/convert.ts';
import { type Managed, managedRecords } from '../../src/terraform/managed.ts';
import { isSent } from '../../src/terraform/schema.ts';
import { anyFields, type Existing } from '../any-fields.ts';
import { seed } from '../seed.ts';
import { awkwardTexts } from './company.ts';
import type { Fields, Resources } from './running-terraform.ts';

/** So many of each record, called `r0`, `r1` and so on. */
export const anyResources = (existing: Existing, count: number, shift = 0): Resources =>
  anyResourcesOf(existing, count, seed + shift);

export function anyResourcesOf(
  existing: Existing,
  count: number,
  seed: number,
  kinds: readonly Managed[] = managedRecords,
): Resources {
  const numbered = (sample: readonly Fields[]) =>
    Object.fromEntries(sample.map((fields, index) => [`r${index}`, fields]));
  return Object.fromEntries(
    kinds.map((one) => {
      const sample = fc.sample(anyConfiguration(one, existing), { numRuns: count, seed });
      return [one.typeName, numbered(sample)];
    }),
  );
}

/** What is left out is absent, or null: the same to Terraform. */
function anyConfiguration(one: Managed, existing: Existing): fc.Arbitrary<Fields> {
  const { resource, attributes } = one;
  const isDescribed = 'description' in resource.fields;
  return fc
    .record({
      fields: anyFields(resource, existing),
      description: isDescribed ? fc.option(fc.constantFrom(...awkwardTexts)) : fc.constant(null),
      slug: fc.constantFrom('webhook', 'prometheus', 'email'),
      isNullExplicit: fc.boolean(),
    })
    .map(({ fields, description, slug, isNullExplicit }) => {
      const options = {
        ...inTerraform(fields),
        ...(description !== null && { description }),
        ...('slug' in resource.fields && { slug }),
      };
      const value = fromJson(attributes, options) as Fields;
      return isNullExplicit ? withoutComputed(one, value) : toJson(attributes, value as never);
    });
}

const withoutComputed = ({ attributes }: Managed, value: Fields): Fields =>
  Object.fromEntries(
    attributes.filter(({ set }) => set !== 'computed').map(({ name }) => [name, value[name]]),
  );

/** Without a method and turns with nobody, which the API alone takes. */
function inTerraform({ method, layers, ...rest }: Fields): Fields {
  return {
    ...rest,
    ...(method !== 'PUT' && method !== undefined && { method }),
    ...(layers !== undefined && { layers: (layers as Layer[]).map(withoutGaps) }),
  };
}

const withoutGaps = ({ users, ...layer }: Layer) => ({
  ...layer,
  users: users.filter((user) => user !== null),
});

/**
 * Every attribute that a configuration can set and a state has, and another value of each. `isLeft`:
 * it cannot be unset, or stays as it is then.
 */
export function fullyConfigured({ typeName, attributes }: Managed, existing: Existing) {
  const samples = Object.values(anyResources(existing, 60)[typeName] ?? {});
  const stored = attributes.filter(({ isWriteOnly, versionOf }) => !isWriteOnly && !versionOf);
  const settable = stored.filter((one) => isSent(one) && one.name !== 'team_id');
  return settable.map(({ name, set, writeOnly, default: fallback }) => {
    const values = name === 'grouping' ? groupings : samples.map((fields) => fields[name] ?? null);
    const isNew = (value: unknown) => value !== null && value !== fallback;
    const value = values.find(isNew);
    const other = values.find((one) => one !== null && !isSame(one, value));
    const isRequired = set === 'required' || writeOnly !== undefined;
    const isLeft = isRequired || (set === 'fallback' && fallback === undefined);
    return { name, isLeft, value, other };
  });
}

/** Beside any other attributes: suppression may be disabled. */
const groupings = [{ by: [], window: { after: 2, unit: 'hours' } }, { by: [] }];

/** As Terraform sees it, to which null is absence. */
const isSame = (one: unknown, other: unknown) =>
  isDeepStrictEqual(withoutNulls(one), withoutNulls(other));

/** As the API writes values. */
export const withoutNulls = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, value) => value ?? undefined));
