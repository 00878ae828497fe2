// What Terraform reads while it runs and stores nowhere: declared by the record that it belongs to.
import { type Diagnostic, errorDiagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import type { Connection } from '../session.ts';

type Opening = {
  readonly id: string;
  /** What is being done, for texts of failures. */
  readonly doing: string;
};

export type Opened =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export type EphemeralResource = {
  /** `pager_integration_token` */
  readonly typeName: string;
  readonly doc: string;
  readonly attributes: readonly Attribute[];
  /** The attribute that names the record. */
  readonly of: string;
  doing(id: string): string;
  open(connection: Connection, opening: Opening): Promise<Opened>;
};

export const notOpened = (...diagnostics: readonly Diagnostic[]): Opened => ({
  ok: false,
  diagnostics,
});

export const archivedError = (doing: string, detail: string): Diagnostic =>
  errorDiagnostic({ summary: `Could not ${doing}`, detail });
