import type { TSchema } from 'typebox';
import type { Ids } from '../engine/ids.ts';
import { masked } from '../resources/declaration/mask.ts';
import type { Queries } from './database.ts';
import { noteMade, type Repeatable } from './records/idempotent-answers.ts';
import { json } from './records/rows.ts';

/** Who does something, for whom it is done, and when. */
export type Act = {
  readonly organizationId: string;
  /** The teams that may be touched; null: every team. */
  readonly teamIds: readonly string[] | null;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly requestId: string | null;
  readonly now: Temporal.Instant;
  /** The request, if it may be sent again. */
  readonly repeatable?: Repeatable;
};

type Audited = {
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  /** Tells which texts are secret: those are not written down. */
  readonly schema: TSchema;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Writes down who did what, in the transaction that does it. */
export async function audit(tx: Queries, ids: Ids, entry: Audited & { act: Act }): Promise<void> {
  const { act, schema } = entry;
  const kept = (value: unknown) => (value === undefined ? null : json(tx, masked(schema, value)));
  await tx`
    insert into audit_log
      (organization_id, id, at, actor, action, kind, record_id, before, after, request_id)
    values (${act.organizationId}, ${ids.next()}, ${act.now}, ${json(tx, act.actor)},
      ${entry.action}, ${entry.kind}, ${entry.id}, ${kept(entry.before)}, ${kept(entry.after)},
      ${act.requestId})`;
  if (act.repeatable && entry.action === 'create') await noteMade(tx, act.repeatable, entry.id);
}
