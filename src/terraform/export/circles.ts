import type { Kept } from './organization.ts';

/** Whether a reference from the record comes back to it, which Terraform does not allow. */
export function circles(records: readonly Kept[]): (from: string, to: string) => boolean {
  const targets = new Map(
    records.map(({ record, references }) => [record.id, references.map(({ id }) => id)]),
  );
  return (from, to) => {
    const seen = new Set([to]);
    for (const id of seen) {
      if (id === from) return true;
      for (const target of targets.get(id) ?? []) seen.add(target);
    }
    return false;
  };
}
