// Valid values of a declared record, made up from its schemas alone.
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { chatChannels } from '../src/resources/channels.ts';
import type { Resource } from '../src/resources/declaration/resource.ts';
import type { Target } from '../src/resources/escalation-policy.ts';
import type { Layer } from '../src/resources/oncall-schedule.ts';
import { compileExpression } from '../src/rules/expression.ts';

type Schema = TSchema & Record<string, unknown>;
type Fields = Record<string, unknown>;
/** Existing ids by kind of record. */
export type Existing = Readonly<Record<string, readonly string[]>>;

const MEMBERS_MAX = 3;

export function anyFields(resource: Resource, existing: Existing): fc.Arbitrary<Fields> {
  return any({ ...resource.input }, existing)
    .map((value) => {
      const { team_id: _team, ...fields } = value as Fields;
      return mended(fields);
    })
    .filter((fields) => resource.check(fields, compileExpression).length === 0);
}

function any(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  if (schema['x-variant'] !== undefined) return anyVariant(schema, existing);
  if (schema['x-nullable'] === true)
    return fc.option(any((schema['anyOf'] as Schema[])[0] as Schema, existing), { freq: 4 });
  switch (schema['type']) {
    case 'string':
      return anyText(schema, existing);
    case 'integer':
      return fc.integer({ min: Number(schema['minimum']), max: Number(schema['maximum']) });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return anyList(schema, existing);
    default:
      return schema['properties'] ? anyObject(schema, existing) : anyHeaders;
  }
}

function anyList(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const lengths = { minLength: Number(schema['minItems']), maxLength: MEMBERS_MAX };
  const items = any(schema['items'] as Schema, existing);
  return schema['uniqueItems'] === true
    ? fc.uniqueArray(items, { ...lengths, selector: (item) => JSON.stringify(item) })
    : fc.array(items, lengths);
}

const printable = fc.string({ maxLength: 20 });
// The only map that is declared.
const anyHeaders = fc.dictionary(fc.constantFrom('Authorization', 'x-a', 'X-B'), printable);

function anyVariant(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const shapes = (schema['anyOf'] as Schema[]).filter((shape) =>
    Object.values(shape['properties'] as Record<string, Schema>).every((field) =>
      isNameable(field, existing),
    ),
  );
  return fc.oneof(...shapes.map((shape) => any(shape, existing)));
}

/** Of some kinds, such as playbooks, there is none to point to. */
function isNameable(field: Schema, existing: Existing): boolean {
  const to = (field['x-references'] as { to: string } | undefined)?.to;
  return to === undefined || (existing[to] ?? []).length > 0;
}

function anyObject(schema: Schema, existing: Existing): fc.Arbitrary<unknown> {
  const properties = schema['properties'] as Record<string, Schema>;
  const required = (schema['required'] ?? []) as string[];
  const nameable = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || isNameable(field, existing),
  );
  const fields = Object.fromEntries(nameable.map(([name, one]) => [name, any(one, existing)]));
  return fc.record(fields, { requiredKeys: required });
}

function anyText(schema: Schema, existing: Existing): fc.Arbitrary<string> {
  if ('const' in schema) return fc.constant(String(schema['const']));
  if ('enum' in schema) return fc.constantFrom(...(schema['enum'] as string[]));
  const to = (schema['x-references'] as { to: string } | undefined)?.to;
  if (to !== undefined) return fc.constantFrom(...(existing[to] ?? []));
  const pattern = String(schema['pattern'] ?? '');
  if (pattern.includes('{24}')) return fc.constant('0'.repeat(24));
  // A monday.
  if (pattern.startsWith('^[0-9]{4}-')) return fc.constant('2024-01-01');
  // By what alerts are grouped; not every tool sends groups.
  if (pattern.includes('details[.]'))
    return fc.constantFrom('service', 'title', 'severity', 'priority', 'details.labels.cluster');
  if (pattern !== '') return fc.constantFrom('00:00', '08:30', '23:59');
  switch (schema['format']) {
    case 'uri':
      return fc.webUrl({ withQueryParameters: true });
    case 'time-zone':
      return fc.constantFrom('Europe/Berlin', 'Asia/Kathmandu', 'UTC', 'america/new_york');
    case 'date-time':
      return fc.constantFrom('2026-01-31T09:00:00Z', '2026-01-31T09:00:00.5+01:00');
    default:
      return fc
        .string({ unit: 'grapheme', minLength: Number(schema['minLength']), maxLength: 20 })
        .filter((text) => text.isWellFormed() && !text.includes('\0'));
  }
}

/** What rules across fields would refuse is taken out, so that few values are thrown away. */
export function mended(fields: Fields): Fields {
  const { service_ids, integration_ids, steps, layers, ...others } = fields;
  const { auto_resolve, resolve_when_quiet, ...rest } = others;
  const span = auto_resolve as { after: number } | undefined;
  const quiet = resolve_when_quiet as { after: number } | undefined;
  return {
    ...rest,
    ...(span && { auto_resolve: { ...span, after: Math.min(span.after, 168) } }),
    ...(quiet && { resolve_when_quiet: { ...quiet, after: Math.min(quiet.after, 168) } }),
    ...(integration_ids !== undefined && { integration_ids }),
    ...(integration_ids !== undefined && service_ids !== undefined && { service_ids }),
    ...(steps !== undefined && { steps: (steps as { targets: Target[] }[]).map(mendedStep) }),
    ...(layers !== undefined && { layers: (layers as Layer[]).map(mendedLayer) }),
  };
}

function mendedStep<Step extends { targets: Target[]; escalate_after_minutes?: number }>(
  step: Step,
) {
  return {
    ...step,
    escalate_after_minutes: Math.max(1, step.escalate_after_minutes ?? 5),
    targets: step.targets.map(mendedTarget),
  };
}

function mendedTarget(target: Target): Target {
  const { via, user_id, oncall_schedule_id, ...chat } = target;
  if (!(chatChannels as readonly string[]).includes(via)) {
    if (user_id !== undefined) return { via, user_id };
    return oncall_schedule_id === undefined ? target : { via, oncall_schedule_id };
  }
  const { channel_id, webhook_url, ...options } = chat;
  if (webhook_url !== undefined) return { via, webhook_url, ...options };
  return { via, channel_id: channel_id ?? 'C1', ...options };
}

function mendedLayer(layer: Layer): Layer {
  const { rotation, ends_at: _end, starts_at, ...rest } = layer;
  const { handoff_day, counts, ...turning } = rotation;
  const isSince = rotation.since !== undefined;
  const byDay =
    rotation.unit === 'days' ? { counts } : { handoff_day: isSince ? 'monday' : handoff_day };
  const present = Object.entries(byDay).filter(([, value]) => value !== undefined);
  return {
    ...rest,
    // A start to come allows no earlier turns.
    ...(starts_at !== undefined && !isSince && { starts_at }),
    rotation: { ...turning, ...Object.fromEntries(present) },
  };
}

/** Slugs are not in the schema: the types of this version are. */
export const withSlug = (resource: Resource, fields: Fields): Fields =>
  resource.name === 'integration' ? { ...fields, slug: 'webhook' } : fields;
