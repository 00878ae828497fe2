// Steps of escalation policies that a planned schedule leaves without anybody. Whether a policy goes
// as well, or pages somebody else, is known only once the run has planned it, in any order: until
// then such a step waits for the plan of its policy.
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import { managedByText } from '../resources/declaration/managed-by-header.ts';

export type UnreachableStep = {
  readonly policyId: string | null;
  /** Who says that they manage the policy. */
  readonly managedBy: ManagedBy | null;
  readonly message: string;
};

export class UnreachableSteps {
  readonly #own: ManagedBy;
  readonly #planned = new Set<string>();
  readonly #waiting = new Map<string, string[]>();

  /** `own`: by whom the records of this configuration are managed. */
  constructor(own: ManagedBy) {
    this.#own = own;
  }

  /** What to report with a schedule; the rest waits. */
  ofSchedule(steps: readonly UnreachableStep[]): readonly string[] {
    return steps.flatMap(({ policyId, managedBy, message }) => {
      if (policyId === null || this.#planned.has(policyId) || !this.#isOwn(managedBy))
        return [message];
      this.#waiting.set(policyId, [...(this.#waiting.get(policyId) ?? []), message]);
      return [];
    });
  }

  /** What has waited for the plan of this policy. */
  ofPolicy(id: string): readonly string[] {
    this.#planned.add(id);
    const messages = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    return messages;
  }

  #isOwn(managedBy: ManagedBy | null): boolean {
    return managedBy !== null && managedByText(managedBy) === managedByText(this.#own);
  }
}
