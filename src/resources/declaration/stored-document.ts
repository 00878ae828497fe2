// JSON of the database is parsed, not cast: another release may have written it. A document says
// its version as `v`; one that does not is of the first. Fields that are not known here are kept,
// for a newer server of the same version may ask for them again.
import type { Sealed } from './field.ts';

export const DOCUMENT_VERSION = 1;

/** What is written is read back equal. */
export const versioned = <T extends object>(document: T) => ({ v: DOCUMENT_VERSION, ...document });

/** Says which field, never what is in it: that may be a secret. */
class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
  readonly path: string;
  readonly problem: string;

  constructor(problem: string, path = '') {
    super(`${path} ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** The value, when it is one; else throws an `UnreadableDocument`. */
export type Parse<T> = (value: unknown) => T;

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the path of the field to the error. */
function parseAt<T>(path: string, parse: Parse<T>, value: unknown): T {
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new UnreadableDocument(error.problem, `${path}${error.path}`);
  }
}

/** A list has no place for a version: it stays of the first, or becomes an object that has one. */
export function documentOf<T>(name: string, parse: Parse<T>): Parse<T> {
  const parseVersion: Parse<T> = (value) => {
    if (!isObject(value)) return parse(value);
    const { v = DOCUMENT_VERSION, ...fields } = value;
    if (v === DOCUMENT_VERSION) return parse(fields);
    throw new UnreadableDocument(`is not ${DOCUMENT_VERSION}, the one version known here`, '.v');
  };
  return (value) => parseAt(name, parseVersion, value);
}

export type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Parse<T[K] | undefined> : Parse<T[K]>;
};

export function objectOf<T extends object>(fields: FieldsOf<T>): Parse<T> {
  const parsers = Object.entries<Parse<unknown>>(fields).map(
    ([key, parse]) => [key, `.${key}`, parse] as const,
  );
  return (value) => {
    if (!isObject(value)) throw new UnreadableDocument('must be an object');
    const read: Record<string, unknown> = { ...value };
    for (const [key, path, parse] of parsers) {
      const parsed = parseAt(path, parse, value[key]);
      if (parsed !== undefined) read[key] = parsed;
    }
    // Every field was parsed.
    return read as T;
  };
}

export const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new UnreadableDocument('must be a list');
    return value.map((one: unknown, index) => parseAt(`[${index}]`, parse, one));
  };

export const nullOr =
  <T>(parse: Parse<T>): Parse<T | null> =>
  (value) =>
    value === null ? null : parse(value);

export const optional =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (value) =>
    value === undefined ? undefined : parse(value);

export const text: Parse<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new UnreadableDocument('must be text');
};

export const number: Parse<number> = (value) => {
  if (typeof value === 'number') return value;
  throw new UnreadableDocument('must be a number');
};

/** A whole number from 0 on. */
export const count: Parse<number> = (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new UnreadableDocument('must be a whole number');
};

/** A whole number from 1 on. */
export const positive: Parse<number> = (value) => {
  if (count(value) > 0) return count(value);
  throw new UnreadableDocument('must be above 0');
};

export const flag: Parse<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw new UnreadableDocument('must be true or false');
};

/** A text of which this can be made, left as it is. */
export const textThat =
  (problem: string, make: (value: string) => unknown): Parse<string> =>
  (value) => {
    const own = text(value);
    try {
      make(own);
    } catch {
      throw new UnreadableDocument(problem);
    }
    return own;
  };

export const instant: Parse<Temporal.Instant> = (value) => {
  try {
    return Temporal.Instant.from(text(value));
  } catch {
    throw new UnreadableDocument('must be an instant');
  }
};

export function choiceOf<T extends string>(choices: readonly T[]): Parse<T> {
  return (value) => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new UnreadableDocument(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** An object whose `type` says what else is in it. */
export function variantOf<T extends { readonly type: string }>(
  variants: {
    readonly [Type in T['type']]: Parse<Omit<Extract<T, { type: Type }>, 'type'>>;
  },
): Parse<T> {
  const parses = new Map<string, Parse<object>>(Object.entries(variants));
  const typed = objectOf<{ type: string }>({ type: choiceOf([...parses.keys()]) });
  return (value) => {
    const read = typed(value);
    // One of the choices, and parsed as what it says it is.
    return { ...parses.get(read.type)?.(value), type: read.type } as unknown as T;
  };
}

const sealed = objectOf<Sealed>({ sealed: text });

export const textOrSealed: Parse<string | Sealed> = (value) =>
  typeof value === 'string' ? value : sealed(value);
