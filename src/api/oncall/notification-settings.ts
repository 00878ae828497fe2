// What a write of settings asks for, read against their declaration and against what is stored.
import type { TSchema } from 'typebox';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { invalid } from '../failures.ts';
import { checkReferences } from '../records/references.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Declared = {
  readonly schema: TSchema;
  /** Rules that span fields; of settings that are wrong it is given what could be read. */
  readonly check: (fields: Fields) => readonly Problem[];
  /** What a client may send back of what it read. */
  readonly ignored: readonly string[];
};

type SettingsWrite = {
  readonly sent: unknown;
  readonly before: Fields;
  /** Null: they are the whole organization's. */
  readonly teamId: string | null;
};
type Reviewed = { readonly fields: Fields; readonly warnings: readonly string[] };

/** Refuses with every mistake; without one, answers the fields and their warnings. */
export async function review(
  declared: Declared,
  write: SettingsWrite,
  lookup: Lookup,
): Promise<Reviewed> {
  const { schema, check, ignored } = declared;
  const read = readObject(schema, write.sent, { ignored });
  const fields = read.ok ? read.value : read.readable;
  const { before, teamId } = write;
  const references = await checkReferences({ schema, before, after: fields, teamId }, lookup);
  const problems = [...(read.ok ? [] : read.problems), ...check(fields), ...references.problems];
  if (problems.length > 0) throw invalid(problems);
  return { fields, warnings: references.warnings };
}
