// What is wrong with a record as configured: the API's own checks, run on as much as is known.
import type { TSchema } from 'typebox';
import type { CompileExpression } from '../../resources/declaration/expression-compiler.ts';
import type { Keywords } from '../../resources/declaration/field.ts';
import { mapText } from '../../resources/declaration/references-and-secrets.ts';
import {
  checkReadable,
  type Problem,
  type Resource,
} from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { toJson, withSecrets } from '../convert.ts';
import type { Value } from '../protocol/value.ts';
import { type Attribute, type Field, type Fields, resourceAttributes } from '../schema.ts';
import { type Completion, completions } from './completions.ts';

/** What is wrong whatever the unknown turns out to be. */
export function problemsOf(
  resource: Resource,
  config: Value,
  compile?: CompileExpression,
): readonly Problem[] {
  return certainProblems(formOf(resource), config, (value) => problemsIn(resource, value, compile));
}

/** Those of every completion of what is unknown. */
export function certainProblems(
  { schema, attributes }: Pick<Form, 'schema' | 'attributes'>,
  config: Value,
  problemsOfOne: (value: Value) => readonly Problem[],
): readonly Problem[] {
  let problems: readonly Problem[] | undefined;
  for (const completion of completions(schema, withSecrets(attributes, config, config))) {
    const certain = known(completion, problemsOfOne(completion.value));
    problems = (problems ?? certain).filter(({ path, message }) =>
      certain.some((one) => one.path === path && one.message === message),
    );
    if (problems.length === 0) break;
  }
  return problems ?? [];
}

function problemsIn(
  resource: Resource,
  value: Value,
  compile?: CompileExpression,
): readonly Problem[] {
  const { schema, attributes } = formOf(resource);
  const read = readObject(schema, toJson(attributes, value));
  if (read.ok) return resource.check(read.value, compile);
  return [...read.problems, ...checkReadable(resource, read.readable, compile)];
}

/** Only the service knows which zones it takes: one that is not known here may be newer. */
export function unknownZones(resource: Resource, config: Value): readonly Problem[] {
  const problems: Problem[] = [];
  const { schema: form, attributes, hasZones } = formOf(resource);
  const [first] = hasZones ? completions(form, config) : [];
  if (first === undefined) return [];
  const json = toJson(attributes, first.value);
  mapText(resource.input, json, ({ schema, value, path }) => {
    if (schema['format'] === 'time-zone' && !isZoneHere(value))
      problems.push({ path, message: `is not a known time zone: ${value}` });
    return value;
  });
  return known(first, problems);
}

// Without Temporal, which Node 20 has not.
function isZoneHere(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const known = ({ guessed }: Completion, problems: readonly Problem[]) =>
  problems.filter(({ path }) => !guessed.some((guess) => isWithin(guess, path)));

const isWithin = (guess: string, path: string) =>
  path.startsWith(guess) && /^($|[.[])/.test(path.slice(guess.length));

type Form = {
  readonly schema: TSchema;
  readonly attributes: readonly Attribute[];
  readonly hasZones: boolean;
};

// Made once for each kind of record: a configuration may have thousands of them.
const forms = new Map<Resource, Form>();

function formOf(resource: Resource): Form {
  const made = forms.get(resource) ?? {
    schema: inTerraform(resource.input),
    attributes: resourceAttributes(resource),
    hasZones: JSON.stringify(resource.input).includes('"format":"time-zone"'),
  };
  forms.set(resource, made);
  return made;
}

/** The declaration without what only the API and the dashboard take, and without time zones. */
function inTerraform(schema: TSchema): Field {
  const field = schema as Field;
  if (field['x-nullable'] === true) return inTerraform((field['anyOf'] as [Field])[0]);
  const { format, ...rest } = field;
  const { properties, items, anyOf } = field;
  const choices = field['x-terraform'] as Keywords['terraform'];
  return {
    ...rest,
    ...(format !== undefined && format !== 'time-zone' && { format }),
    ...(choices !== undefined && { enum: choices.values, 'x-others': choices.others }),
    ...(properties !== undefined && { properties: fieldsInTerraform(properties as Fields) }),
    ...(items !== undefined && { items: inTerraform(items as TSchema) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Field[]).map(inTerraform) }),
  };
}

const fieldsInTerraform = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field['x-api-only'] !== true)
      .map(([name, field]) => [name, inTerraform(field)]),
  );
