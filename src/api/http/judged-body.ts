import type { TSchema } from 'typebox';
import { PROBLEMS_MAX } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { invalid } from '../failures.ts';
import { readJson } from './body.ts';

type Judging = { readonly bytes: Uint8Array; readonly schema?: TSchema };

/**
 * Refuses a large body that would take long to read: one that is no JSON, or has nothing to do with
 * what is asked for. The mistakes of all others are told by whoever reads them.
 */
export function judgeBody({ bytes, schema }: Judging): null {
  const value = readJson(bytes);
  const read = schema === undefined ? null : readObject(schema, value);
  if (read?.ok === false && read.problems.length >= PROBLEMS_MAX) throw invalid(read.problems);
  return null;
}
