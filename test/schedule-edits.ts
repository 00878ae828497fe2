// A schedule that is edited again and again, without storage.
import { onCallAt } from '../src/oncall/on-call.ts';
import { type DeclaredLayer, type Edit, editLayers } from '../src/oncall/revisions/edits.ts';
import type { Former } from '../src/oncall/revisions/undo.ts';
import type { Layer } from '../src/oncall/schedule.ts';

const instant = (text: string) => Temporal.Instant.from(text);
/** Saves one after another, and what they left. */
export class Edits {
  readonly inactive = new Set<string>();
  #past: Former[] = [];
  #ids = 0;
  #rules: Edit['rules'];

  constructor(rules?: Edit['rules']) {
    this.#rules = rules;
  }

  /** The last server of the release before stops. */
  upgrade(): void {
    this.#rules = undefined;
  }

  save(at: Temporal.Instant, timezone: string, ...layers: readonly DeclaredLayer[]) {
    const after = { timezone, layers };
    const nextId = () => {
      this.#ids += 1;
      return `layer${this.#ids}`;
    };
    const before = this.#past.at(-1) ?? null;
    const isActive = (user: string) => !this.inactive.has(user);
    const made = editLayers({
      before,
      past: this.#past,
      after,
      now: at,
      isActive,
      rules: this.#rules,
      nextId,
    });
    this.#past.push({ from: at, timezone, layers: made });
    return made;
  }

  get layers(): readonly Layer[] {
    return this.#past.at(-1)?.layers ?? [];
  }

  schedule() {
    const { timezone = 'UTC', layers = [] } = this.#past.at(-1) ?? {};
    const from = this.#past[0]?.from ?? instant('2026-01-01T00:00Z');
    return { revisions: [{ from, archived: false, timezone, layers }], overrides: [] };
  }

  /** Who is on call at these instants. */
  onCall(...times: readonly string[]): string {
    const people = times.map((at) => onCallAt(this.schedule(), instant(at))?.user_id ?? '-');
    return people.join(' ');
  }
}
