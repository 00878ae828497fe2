// Contracts with vendors: the fields, types and limits of their APIs that Pager relies on, written in our
// own form, each with the page of the vendor's documentation that states it. Everything else is refused,
// so a field that nobody has looked up fails its test.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import Type, { type TProperties, type TSchema } from 'typebox';

/** An object with these members and no others. */
export const exactly = (members: TProperties) =>
  Type.Object(members, { additionalProperties: false });

/** A text that is not empty. */
export const text = (maxLength?: number) =>
  Type.String({ minLength: 1, ...(maxLength !== undefined && { maxLength }) });

export const oneOf = (...values: readonly string[]) => Type.Enum([...values]);

export const httpUrl = Type.String({ pattern: '^https?://[^\\s]+$' });

const ajv = new Ajv({ strict: false, logger: false });
const compiled = new WeakMap<TSchema, ValidateFunction>();

/** What is wrong with a value, if anything. */
export function problemWith(name: string, schema: TSchema, value: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? undefined : `${name}: ${problemsIn(validate.errors)}`;
}

/** With the names that are not known, which Ajv leaves out of its words. */
export function problemsIn(errors: readonly ErrorObject[] | null | undefined): string {
  const problems = (errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => {
    const { additionalProperty: unknown } = params;
    return `${instancePath || 'it'} ${unknown === undefined ? message : `has no ${unknown}`}`;
  });
  return problems.join(', ');
}
