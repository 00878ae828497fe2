// The routes of the records, all made from their declarations.
import type { IntegrationType } from '../../alerts/alert.ts';
import type { Faults } from '../../engine/faults.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { records } from '../../resources/records.ts';
import type { Records } from '../../storage/records/records.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { readableOf, warned } from '../answers.ts';
import { displayName } from '../display-name.ts';
import { notFound } from '../failures.ts';
import { actOf } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scheduleClone } from './clone.ts';
import { listParameters, pageOf, readListing } from './listing.ts';
import { archivedShape, integrationTypesShape, pageShape, scheduleConfigShape } from './shapes.ts';
import { type Addresses, showRecords, useWarnings, withAnchors } from './shown.ts';
import { changeOf, create, createdAgain, done, keyOf, update, type WriteParts } from './writes.ts';
import { mergePatch } from './written.ts';

export type RecordRouteParts = Omit<WriteParts, 'show' | 'slugs'> & {
  readonly integrationTypes: readonly Pick<
    IntegrationType,
    'slug' | 'name' | 'description' | 'guide_url'
  >[];
  readonly addresses: Addresses;
  readonly faults: Faults;
};

type Parts = RecordRouteParts & WriteParts;

export function recordRoutes(given: RecordRouteParts): Route[] {
  const parts: Parts = {
    ...given,
    show: showRecords(given.addresses),
    slugs: new Set(given.integrationTypes.map(({ slug }) => slug)),
  };
  return [
    ...records.flatMap((resource) => [
      ...readRoutes(parts, resource),
      ...writeRoutes(parts, resource),
      ...endRoutes(parts, resource),
    ]),
    scheduleConfig(parts),
    scheduleClone(parts),
    integrationTypeList(parts),
  ];
}

function readRoutes(parts: Parts, resource: Resource): Route[] {
  const { records, show } = parts;
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
      answers: { status: 200, schema: pageShape(resource) },
      async handle(call) {
        const query = readListing(resource, call.query);
        const more = await records.list(
          resource,
          { ...query, limit: query.limit + 1 },
          actOf(call),
        );
        const { page, next_cursor } = pageOf(more, query.limit);
        const { readable, broken, ...unread } = readableOf<StoredRecord>(page);
        for (const { id, error } of broken)
          parts.faults({ of: 'record', id: `${resource.name} ${id}`, error });
        const data = readable.map((each) => show(resource, each, call.caller));
        return ok({ data, next_cursor, ...unread });
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      tag,
      role: 'viewer',
      doc: `Reads one ${displayName(resource.name)} by id or counter, an archived one too.`,
      answers: { status: 200, schema: resource.output },
      handle: async (call) =>
        ok(show(resource, await readOne(records, resource, call), call.caller)),
    },
  ];
}

async function readOne(records: Records, resource: Resource, call: Call): Promise<StoredRecord> {
  const record = await records.read(resource, keyOf(call), actOf(call));
  if (record === undefined) throw notFound();
  return record;
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
      record: { name: resource.name, isPatch: false },
      method: 'POST',
      path,
      doc: `Creates one ${what}.`,
      answers: { status: 201, schema: warned(resource.output) },
      handle: (call) => create(parts, resource, call),
      again: (call, id) => createdAgain(parts, resource, { call, id }),
    },
    {
      ...common,
      record: { name: resource.name, isPatch: false },
      method: 'PUT',
      path: `${path}/:id`,
      doc: `Replaces one ${what}: absent fields return to their default or to none.`,
      answers: { status: 200, schema: warned(resource.output) },
      handle: (call) => update(parts, resource, { call, body: () => call.body }),
    },
    {
      ...common,
      body: { ...resource.input, required: [] },
      record: { name: resource.name, isPatch: true },
      method: 'PATCH',
      path: `${path}/:id`,
      doc: `Changes the named fields of one ${what} (RFC 7396): null removes, lists are replaced.`,
      answers: { status: 200, schema: warned(resource.output) },
      handle: (call) =>
        update(parts, resource, { call, body: ({ fields }) => mergePatch(fields, call.body) }),
    },
  ];
}

function endRoutes({ records, show }: Parts, resource: Resource): Route[] {
  const path = `/${resource.route}/:id`;
  const what = displayName(resource.name);
  return [
    {
      method: 'DELETE',
      path,
      tag: resource.table,
      role: 'manager',
      doc: `Archives one ${what}. Never blocked by what still uses it: the warnings name that.`,
      answers: { status: 200, schema: archivedShape },
      async handle(call) {
        const { record, uses } = done(await records.archive(resource, changeOf(call)));
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
      doc: `Restores one archived ${what}.`,
      answers: { status: 200, schema: resource.output },
      handle: async (call) =>
        ok(show(resource, done(await records.restore(resource, changeOf(call))), call.caller)),
      again: async (call) =>
        ok(show(resource, await readOne(records, resource, call), call.caller)),
    },
  ];
}

const scheduleConfig = ({ records, show }: Parts): Route => ({
  method: 'GET',
  path: '/on-calls/:id/config',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Reads one schedule with the identity of each layer and a boundary of its rotation.',
  answers: { status: 200, schema: scheduleConfigShape },
  async handle(call) {
    const record = await readOne(records, oncallSchedule, call);
    return ok(withAnchors(show(oncallSchedule, record, call.caller), record));
  },
});

const integrationTypeList = ({ integrationTypes }: Parts): Route => ({
  method: 'GET',
  path: '/integration-types',
  tag: 'integrations',
  role: 'viewer',
  doc: 'Lists the kinds of monitoring tools that integrations can be made for.',
  answers: { status: 200, schema: integrationTypesShape },
  handle: async () =>
    ok({
      data: integrationTypes.map(({ slug, name, description, guide_url }) => ({
        slug,
        name,
        description,
        guide_url,
      })),
      next_cursor: null,
    }),
});
