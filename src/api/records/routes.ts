// The routes of the records, all made from their declarations.
import Type from 'typebox';
import type { Faults } from '../../engine/faults.ts';
import { objectOf } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { displayName, type Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { readableOf, unreadablePageSchema, warned } from '../answers.ts';
import { rotateTokenRoute } from '../integrations/rotate-token.ts';
import { integrationTypesRoute, type ListedType } from '../integrations/types.ts';
import { actOf } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { mergePatch } from './body.ts';
import { hooksOf } from './hooks.ts';
import { inTeams, listParameters, pageOf, readListing } from './list-query.ts';
import type { Addresses } from './record-hooks.ts';
import { recordRenderer, useWarnings } from './rendering.ts';
import { scheduleRoutes } from './schedule-routes.ts';
import {
  changeOf,
  create,
  createdAgain,
  readOne,
  unwrap,
  update,
  type WriteParts,
} from './write.ts';

export type RecordRouteParts = Omit<WriteParts, 'render'> & {
  readonly integrationTypes: readonly ListedType[];
  readonly addresses: Addresses;
  readonly faults: Faults;
  /** All records that there are. */
  readonly declared?: readonly Resource[];
};

type Parts = WriteParts & Pick<RecordRouteParts, 'faults'>;

export function recordRoutes({ declared = records, ...options }: RecordRouteParts): Route[] {
  const parts: Parts = {
    ...options,
    render: recordRenderer(options.addresses),
  };
  return [
    ...declared.flatMap((resource) => [
      ...readRoutes(parts, resource),
      ...writeRoutes(parts, resource),
      ...endRoutes(parts, resource),
    ]),
    ...scheduleRoutes(parts),
    rotateTokenRoute(parts),
    integrationTypesRoute(options.integrationTypes),
  ];
}

function readRoutes(parts: Parts, resource: Resource): Route[] {
  const { records, render } = parts;
  const tag = resource.table;
  const path = `/${resource.route}`;
  return [
    {
      method: 'GET',
      path,
      tag,
      role: 'viewer',
      doc: `Lists ${displayName(resource.table)}, by counter.`,
      query: listParameters(resource),
      answers: { status: 200, schema: unreadablePageSchema(resource.output) },
      async handle(call) {
        const query = readListing(resource, call.query);
        const more = await records.list(
          resource,
          { ...query, limit: query.limit + 1 },
          inTeams(actOf(call), call),
        );
        const { page, next_cursor } = pageOf(more, query.limit);
        const { readable, broken, ...unread } = readableOf<StoredRecord>(page);
        for (const { id, error } of broken)
          parts.faults({ of: 'record', id: `${resource.name} ${id}`, error });
        const data = readable.map((each) => render(resource, each, call.caller));
        return ok({ data, next_cursor, ...unread });
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      tag,
      role: 'viewer',
      doc: `Returns one ${displayName(resource.name)} by id or counter, including an archived one.`,
      answers: { status: 200, schema: resource.output },
      handle: async (call) =>
        ok(render(resource, await readOne(records, resource, call), call.caller)),
    },
  ];
}

function writeRoutes(parts: Parts, resource: Resource): Route[] {
  const path = `/${resource.route}`;
  const common = {
    tag: resource.table,
    role: 'manager',
    body: resource.input,
  } as const;
  const what = displayName(resource.name);
  return [
    {
      ...common,
      record: { resource, isPatch: false },
      takesTeam: true,
      method: 'POST',
      path,
      doc: `Creates one ${what}.`,
      answers: { status: 201, schema: warned(resource.output) },
      handle: (call) => create(parts, resource, call),
      again: (call, id) => createdAgain(parts, resource, { call, id }),
    },
    {
      ...common,
      record: { resource, isPatch: false },
      takesVersion: true,
      method: 'PUT',
      path: `${path}/:id`,
      doc: `Replaces one ${what}. Absent fields return to their defaults or are removed.`,
      answers: { status: 200, schema: warned(resource.output) },
      handle: (call) => update(parts, resource, { call, body: () => call.body }),
    },
    {
      ...common,
      takesVersion: true,
      record: { resource, isPatch: true },
      method: 'PATCH',
      path: `${path}/:id`,
      doc: `Updates fields of one ${what} (RFC 7396). Null removes a value. Lists are replaced.`,
      answers: { status: 200, schema: warned(resource.output) },
      handle: (call) =>
        update(parts, resource, {
          call,
          body: ({ fields }) => mergePatch(fields, call.body),
          isReleased: isObject(call.body) && call.body['managed_by'] === null,
        }),
    },
  ];
}

const archivedShape = objectOf({
  id: Type.String({ description: 'The id of the archived record.' }),
  archived_at: Type.String({
    format: 'date-time',
    description: 'When the record was archived, in UTC.',
  }),
  warnings: Type.Array(Type.String(), {
    description: 'What still uses the record, as sentences.',
  }),
});

function endRoutes(parts: Parts, resource: Resource): Route[] {
  const { records, render } = parts;
  const path = `/${resource.route}/:id`;
  const what = displayName(resource.name);
  const { committed } = hooksOf(resource);
  return [
    {
      method: 'DELETE',
      takesVersion: true,
      takesManagedBy: true,
      path,
      tag: resource.table,
      role: 'manager',
      doc: `Archives one ${what}, even if other records still use it. The warnings list them.`,
      answers: { status: 200, schema: archivedShape },
      async handle(call) {
        const { record, uses } = unwrap(await records.archive(resource, changeOf(call)));
        committed?.(parts);
        const { id, archived_at } = record;
        return ok({ id, archived_at, warnings: useWarnings(uses, call.caller) });
      },
    },
    {
      method: 'POST',
      path: `${path}/restore`,
      tag: resource.table,
      role: 'admin',
      keysRefused: 'restore_is_dashboard_only',
      takesVersion: true,
      doc: `Restores one archived ${what}.`,
      answers: { status: 200, schema: resource.output },
      async handle(call) {
        const record = unwrap(await records.restore(resource, changeOf(call)));
        committed?.(parts);
        return ok(render(resource, record, call.caller));
      },
      again: async (call) =>
        ok(render(resource, await readOne(records, resource, call), call.caller)),
    },
  ];
}
