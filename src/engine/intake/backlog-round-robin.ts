import { memoryLimits } from '../../limits/memory.ts';

/**
 * Whose backlog was served last: organisations take turns, and so do the integrations of each. Each
 * server has its own turns; a server that loses them starts again with the first.
 */
export class BacklogRoundRobin {
  readonly #integrationOf = new Map<string, string>();
  #organization = '';

  /** The organisation after which the next turn comes. */
  get organization(): string {
    return this.#organization;
  }

  /** The integration of this organisation after which its next turn comes. */
  integrationOf(organizationId: string): string {
    return this.#integrationOf.get(organizationId) ?? '';
  }

  /** Ends a turn, successful or not, so that a fault does not delay the others. */
  passed(organizationId: string, integrationId: string | null): void {
    this.#organization = organizationId;
    if (integrationId === null) return;
    this.#integrationOf.delete(organizationId);
    this.#integrationOf.set(organizationId, integrationId);
    if (this.#integrationOf.size <= memoryLimits.turns) return;
    for (const [oldest] of this.#integrationOf) {
      this.#integrationOf.delete(oldest);
      return;
    }
  }
}
