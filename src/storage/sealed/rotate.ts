// All that is sealed is sealed anew with another key, in one transaction.
import { isSealed } from '../../resources/declaration/field.ts';
import { liftTimeouts, type Sql, transact } from '../database/database.ts';
import { isBound } from './bind.ts';
import { type Change, changeAll } from './change-sealed.ts';
import { changeKey, ServedByOlderVersion } from './installation.ts';
import { confirmKeyLock } from './key-lock.ts';
import { type SealContext, sealedColumns } from './sealed-columns.ts';
import { createSealer, type Sealer } from './secrets.ts';

/** Stands in every value that is sealed, as json has it or in a column of its own. */
const marks = { json: '"sealed"', text: ':' };

export type Keys = { readonly from: string; readonly to: string };

export type RotationResult = {
  readonly sealed: number;
  /** What the old key could not open either: it stays as it is. */
  readonly unreadable: readonly SealContext[];
};

/** The old key is in force until this has returned, and the new one from then on. */
export function rotateSecretKey(sql: Sql, { from, to }: Keys): Promise<RotationResult> {
  const [old, next] = [createSealer(from), createSealer(to)];
  return transact(sql, async (tx) => {
    await liftTimeouts(tx);
    await confirmKeyLock(tx);
    await changeKey(tx, { old, next });
    if (!(await isBound(tx))) throw new ServedByOlderVersion();
    const rotation = new Rotation(old, next);
    for (const sealed of sealedColumns) {
      const mark = sealed.mapValue ? marks.json : marks.text;
      await changeAll(sealed, rotation.changeOf(mark), (batch) => batch(tx));
    }
    return rotation;
  });
}

class Rotation implements RotationResult {
  sealed = 0;
  readonly unreadable: SealContext[] = [];
  readonly #old: Sealer;
  readonly #next: Sealer;

  constructor(old: Sealer, next: Sealer) {
    this.#old = old;
    this.#next = next;
  }

  changeOf(mark: string): Change {
    return {
      mark,
      change: (stored, context) => {
        if (!isSealed(stored)) return stored;
        const text = this.#tryOpen(stored.sealed, context);
        if (text === null) return stored;
        this.sealed += 1;
        return { sealed: this.#next.seal(text, context) };
      },
    };
  }

  #tryOpen(sealed: string, context: SealContext): string | null {
    try {
      return this.#old.open(sealed, context);
    } catch {
      this.unreadable.push(context);
      return null;
    }
  }
}
