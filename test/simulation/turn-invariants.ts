// Whether anybody's stored events are passed over: organisations take turns at a server, and so do
// the integrations of each. Nothing of how turns are given is known here.
import assert from 'node:assert/strict';
import type { EventOrderingKey } from '../../src/engine/ports/events.ts';

/** One turn of one server. */
export type Turn = {
  /** Null: all who had any were being decided by others. */
  readonly served: EventOrderingKey | null;
  /** Those who had stored events then, and were not being decided by another server. */
  readonly waiting: readonly EventOrderingKey[];
};

/** Whoever waits all the while is served before anybody else has had two turns. */
export function createTurnCheck(): (turn: Turn) => void {
  const organizations = new Passed();
  const integrations = new Passed();
  const seen = new Map<string, Set<string>>();
  return ({ served, waiting }) => {
    for (const { organization_id, integration_id } of waiting)
      seen.set(organization_id, (seen.get(organization_id) ?? new Set()).add(integration_id));
    // Whoever waits no longer, or is being decided elsewhere, begins to wait anew.
    organizations.keep(waiting.map(({ organization_id }) => organization_id));
    integrations.keep(waiting.map(({ integration_id }) => integration_id));
    if (served === null) return;
    const own = waiting.filter((one) => one.organization_id === served.organization_id);
    organizations.by(served.organization_id, {
      waiting: waiting.map(({ organization_id }) => organization_id),
      most: seen.size,
    });
    integrations.by(served.integration_id, {
      waiting: own.map(({ integration_id }) => integration_id),
      most: seen.get(served.organization_id)?.size ?? 0,
    });
  };
}

/** How often each was passed over since it waits. */
class Passed {
  #times = new Map<string, number>();

  keep(names: readonly string[]): void {
    this.#times = new Map([...this.#times].filter(([name]) => names.includes(name)));
  }

  by(served: string, { waiting, most }: { waiting: readonly string[]; most: number }): void {
    this.#times.delete(served);
    for (const name of new Set(waiting)) {
      if (name === served) continue;
      const times = (this.#times.get(name) ?? 0) + 1;
      assert.ok(times < most, `${name} waits and was passed over ${times} times`);
      this.#times.set(name, times);
    }
  }
}
