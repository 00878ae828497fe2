// All that is sealed is sealed anew with another key, in one transaction.
import { isSealed } from '../../resources/declaration/sealed.ts';
import { type Sql, type Transaction, transact } from '../database.ts';
import { createSealer, type Sealer } from '../secrets.ts';
import { isBound } from './bind.ts';
import { type Change, changeAll } from './change.ts';
import { changeKey, ServedByOlder } from './installation.ts';
import { confirmKeyLock } from './key-lock.ts';
import { type SealContext, sealedColumns } from './sealed-columns.ts';

/** Stands in every value that is sealed, as json has it or in a column of its own. */
const marks = { json: '"sealed"', text: ':' };

export type Keys = { readonly from: string; readonly to: string };

export type Rotated = {
  readonly sealed: number;
  /** What the old key could not open either: it stays as it is. */
  readonly unreadable: readonly SealContext[];
};

/** The old key is in force until this has returned, and the new one from then on. */
export function rotateSecretKey(sql: Sql, { from, to }: Keys): Promise<Rotated> {
  const [old, next] = [createSealer(from), createSealer(to)];
  return transact(sql, async (tx) => {
    await asLongAsItTakes(tx);
    await confirmKeyLock(tx);
    await changeKey(tx, { old, next });
    if (!(await isBound(tx))) throw new ServedByOlder();
    const rotation = new Rotation(old, next);
    for (const sealed of sealedColumns) {
      const mark = sealed.within ? marks.json : marks.text;
      await changeAll(sealed, rotation.changeOf(mark), (batch) => batch(tx));
    }
    return rotation;
  });
}

const asLongAsItTakes = (tx: Transaction) => tx`
  select set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`;

class Rotation implements Rotated {
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
      change: (kept, place) => {
        if (!isSealed(kept)) return kept;
        const text = this.#opened(kept.sealed, place);
        if (text === null) return kept;
        this.sealed += 1;
        return { sealed: this.#next.seal(text, place) };
      },
    };
  }

  #opened(sealed: string, place: SealContext): string | null {
    try {
      return this.#old.open(sealed, place);
    } catch {
      this.unreadable.push(place);
      return null;
    }
  }
}
