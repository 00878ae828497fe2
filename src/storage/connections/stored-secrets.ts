// Secrets of connections, sealed. One that was replaced still verifies for a while.
import { accessLimits } from '../../limits/access.ts';
import { showsEnd } from '../../resources/connections/vendors.ts';
import type { Queries } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { timeText } from '../records/rows.ts';
import { rowContext, type SealContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';

type StoredSecret = {
  readonly sealed: string;
  /** Absent where it is not shown. Earlier releases stored it of each. */
  readonly ends?: string;
  readonly set_at: string;
  /** The one before it, by which what the vendor signs may still be verified. */
  readonly replaced?: { readonly sealed: string; readonly until: string };
};
export type StoredSecrets = Readonly<Record<string, StoredSecret>>;

export const secretsContext = (organizationId: string, id: string): SealContext =>
  rowContext('channel_connections.secrets', organizationId, id);

type NewSecrets = {
  readonly vendor: string;
  readonly newSecrets: Readonly<Record<string, string>>;
};

export function sealAll(
  { secrets, act }: { readonly secrets: Secrets; readonly act: Act },
  id: string,
  { vendor, newSecrets }: NewSecrets,
): StoredSecrets {
  const context = secretsContext(act.organizationId, id);
  return Object.fromEntries(
    Object.entries(newSecrets).map(([name, text]) => [
      name,
      {
        sealed: secrets.seal(text, context),
        ...(showsEnd(vendor, name) && { ends: text.slice(-4) }),
        set_at: timeText(act.now),
      },
    ]),
  );
}

/** Vendors sign with the old secret until the new one is in use there. */
export function withReplaced(
  sealed: StoredSecrets,
  stored: StoredSecrets,
  now: Temporal.Instant,
): StoredSecrets {
  const until = timeText(now.add({ hours: accessLimits.replacedSecretHours }));
  const entries = Object.entries(sealed).map(([name, secret]) => {
    const before = stored[name];
    return [name, before ? { ...secret, replaced: { sealed: before.sealed, until } } : secret];
  });
  return Object.fromEntries(entries);
}

/** Those that verify nothing any more. */
export async function removeReplacedSecrets(sql: Queries, now: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    update channel_connections c set secrets = (
      select json_object_agg(key, case
        when (value -> 'replaced' ->> 'until')::timestamptz <= ${now} then value - 'replaced'
        else value end)
      from jsonb_each(c.secrets::jsonb))
    where exists (
      select from jsonb_each(c.secrets::jsonb)
      where (value -> 'replaced' ->> 'until')::timestamptz <= ${now})`;
  return count;
}
