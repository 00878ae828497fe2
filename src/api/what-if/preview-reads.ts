// What previews compare a change with, as it is stored. The previews of one request share their
// reads: each query is for all of them.
import { setImmediate } from 'node:timers/promises';
import { once } from '../../resources/once.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { readShiftCursors } from '../../storage/ledger/shift-cursors.ts';
import { readFormer } from '../../storage/oncall/revisions.ts';
import { newScheduleRulesApply } from '../../storage/oncall/schedule-rules.ts';
import { nextEdits } from '../../storage/oncall/shift-cursor.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import { readRulePlaces } from '../../storage/records/rule-places.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import { actOf } from '../people/writing.ts';
import type { WriteParts } from '../records/write.ts';
import type { Call } from '../route.ts';

export type SavedReadsParts = Pick<LedgerParts, 'sql' | 'configurations'>;
export type SavedReads = ReturnType<typeof savedReads>;

export type PreviewReadsParts = SavedReadsParts & Pick<WriteParts, 'teams' | 'capabilitiesOf'>;
export type PreviewReads = ReturnType<typeof previewReads>;

/** What any change is compared with. */
export function savedReads({ sql, configurations }: SavedReadsParts, { caller, now }: Call) {
  const { organizationId } = caller;
  return {
    configuration: once(() =>
      readConfiguration({ sql, configurations }, { organizationId, from: now, now }),
    ),
    newRulesApply: once(() => newScheduleRulesApply(sql)),
    nextEdits: gathered((scheduleIds) => nextEdits(sql, { organizationId, scheduleIds, now })),
    former: gathered((scheduleIds) => readFormer(sql, { organizationId, scheduleIds })),
  };
}

export function previewReads(parts: PreviewReadsParts, call: Call) {
  const { sql } = parts;
  const { organizationId } = call.caller;
  return {
    ...savedReads(parts, call),
    capabilities: once(() => parts.capabilitiesOf(organizationId)),
    teams: once(() => parts.teams(actOf(call))),
    rulePlaces: once(() => readRulePlaces(sql, organizationId)),
    shiftCursors: gathered((scheduleIds) => readShiftCursors(sql, { organizationId, scheduleIds })),
    lookup: gatheredByKind(lookupIn(sql, organizationId)),
  };
}

type ReadByKey<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** Reads what is wanted within one turn of the event loop together, and each key once. */
export function gathered<Value>(read: ReadByKey<Value>): ReadByKey<Value> {
  type Reading = ReturnType<typeof read>;
  const readings = new Map<string, Reading>();
  let next: { readonly keys: string[]; readonly reading: Reading } | null = null;
  const begin = () => {
    const keys: string[] = [];
    const reading = setImmediate().then(() => {
      next = null;
      return read(keys);
    });
    return { keys, reading };
  };
  return async (wanted) => {
    for (const key of wanted) {
      if (readings.has(key)) continue;
      next ??= begin();
      next.keys.push(key);
      readings.set(key, next.reading);
    }
    const values = new Map<string, Value>();
    for (const key of wanted) {
      const value = (await readings.get(key))?.get(key);
      if (value !== undefined) values.set(key, value);
    }
    return values;
  };
}

function gatheredByKind(lookup: Lookup): Lookup {
  const byKind = new Map<string, ReadByKey<ReferencedRecord>>();
  return (kind, ids) => {
    const ofKind = byKind.get(kind) ?? gathered((wanted) => lookup(kind, wanted));
    byKind.set(kind, ofKind);
    return ofKind(ids);
  };
}
