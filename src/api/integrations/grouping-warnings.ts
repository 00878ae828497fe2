// Values that alerts are grouped by and that none of them has: such as a path with a typing error.
import { detailPathIn } from '../../resources/detail-path.ts';
import { counted } from '../../resources/plural.ts';
import { isCutAt, presentValue } from '../../rules/details.ts';
import type { Queries } from '../../storage/database/database.ts';
import { recentDetails } from '../../storage/incidents/recent-details.ts';

type Of = { readonly organizationId: string; readonly integrationId: string };

export async function groupingWarnings(
  sql: Queries,
  of: Of,
  by: readonly string[],
): Promise<readonly string[]> {
  if (by.every((name) => detailPathIn(name) === null)) return [];
  return missingValues(by, await recentDetails(sql, of));
}

/** `recent`: the details of its last alerts; without any, nothing is known. */
export function missingValues(
  by: readonly string[],
  recent: readonly unknown[],
): readonly string[] {
  if (recent.length === 0) return [];
  const last =
    recent.length === 1
      ? 'The last alert does not have'
      : `None of the last ${counted(recent.length, 'alert')} has`;
  return by.flatMap((name, index) => {
    const path = detailPathIn(name);
    if (path === null || recent.some((details) => mayHave(details, path))) return [];
    return [`${last} ${name} (grouping.by[${index}]). An alert without it opens its own incident.`];
  });
}

const mayHave = (details: unknown, path: string): boolean =>
  presentValue(details, path) !== undefined || isCutAt(details, path);
