// What is kept as JSON, as tests see it stored, corrupted and read back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Parse, versioned } from '../src/resources/declaration/stored-document.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** As a column of JSON answers it. */
export const asStored = (value: unknown): Json => JSON.parse(JSON.stringify(value));

export const asStoredDocument = (document: object): Json => asStored(versioned(document));

/** A field of a document, and the document with that field corrupted. */
export type Corruption = { readonly path: string; readonly document: Json };

/** The document with each of its fields, at any depth, made something that it cannot be. */
export function corruptionsOf(document: Json, path: string): readonly Corruption[] {
  const isNested = typeof document === 'object' && document !== null;
  const own: Corruption = { path, document: isNested ? 7 : {} };
  if (!isNested) return [own];
  if (Array.isArray(document)) {
    return [
      own,
      ...document.flatMap((one, index) =>
        corruptionsOf(one, `${path}[${index}]`).map((inner) => ({
          path: inner.path,
          document: document.with(index, inner.document),
        })),
      ),
    ];
  }
  return [
    own,
    ...Object.entries(document).flatMap(([key, one]) =>
      corruptionsOf(one, `${path}.${key}`).map((inner) => ({
        path: inner.path,
        document: { ...document, [key]: inner.document },
      })),
    ),
  ];
}

/** A test for each field of it, corrupted: it is refused by its path. */
export function refusesEachCorruption(
  parse: Parse<unknown>,
  { path, document }: { readonly path: string; readonly document: object },
): void {
  for (const corruption of corruptionsOf(asStored(document), path))
    test(corruption.path, () => {
      const names = ({ message }: Error) => message.startsWith(corruption.path);
      assert.throws(() => parse(corruption.document), names);
    });
}

/** The document without one of its fields. */
export const lacking = (document: object, key: string): Json =>
  asStored(Object.fromEntries(Object.entries(document).filter(([name]) => name !== key)));
