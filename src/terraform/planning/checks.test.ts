import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields } from '../../../test/any-fields.ts';
import { putAt } from '../../../test/terraform/put-at.ts';
import { readBody } from '../../api/records/body.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { records } from '../../resources/index.ts';
import { integration } from '../../resources/integration.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { override } from '../../resources/override.ts';
import { service } from '../../resources/service.ts';
import { compileExpression } from '../../rules/expression.ts';
import { fromJson, isList, isObject, toJson } from '../convert.ts';
import { Decimal, type Type, Unknown, type Value } from '../protocol/value.ts';
import { objectType, resourceAttributes } from '../schema.ts';
import { problemsOf, unknownZones } from './checks.ts';

const id = '65f0a1b2c3d4e5f601234567';
const kinds = ['user', 'team', ...records.map(({ name }) => name)];
const existing = Object.fromEntries(kinds.map((kind) => [kind, [id]]));
const unknown = new Unknown();

type TypedPath = { readonly path: readonly (string | number)[]; readonly type: Type };

/** Of everything below a value, where it is and what type it has. */
function typedPathsIn(
  type: Type,
  value: Value,
  path: TypedPath['path'] = [],
): readonly TypedPath[] {
  if (value === null || typeof type === 'string') return [];
  const at = (step: string | number, inner: Type, one: Value): readonly TypedPath[] => [
    { path: [...path, step], type: inner },
    ...typedPathsIn(inner, one, [...path, step]),
  ];
  if (type[0] === 'list' && isList(value))
    return value.flatMap((one, index) => at(index, type[1], one));
  if (!isObject(value)) return [];
  const entries = Object.entries(value);
  if (type[0] === 'map') return entries.flatMap(([key, one]) => at(key, type[1], one));
  const types = type[0] === 'object' ? type[1] : {};
  return entries.flatMap(([name, one]) => at(name, types[name] ?? 'dynamic', one));
}

const texts = [
  ...['', 'x', 'a\0b', id, '24:00', 'https://x.test', 'a'.repeat(300)],
  ...['email', 'slack', 'discord', 'days', 'weeks', 'hours', 'monday'],
  ...['severity', 'resolveTimer', 'incidentDays', 'matches', 'p1'],
];

/** Right or wrong for its place, but of its type. */
function anyOf(type: Type): fc.Arbitrary<Value> {
  switch (typeof type === 'string' ? type : type[0]) {
    case 'string':
      return fc.constantFrom(null, ...texts);
    case 'number':
      return fc.constantFrom(null, -1, 0, 1, 300, 5_000, new Decimal('5.5'));
    case 'bool':
      return fc.constantFrom(null, true, false);
    case 'list':
      return fc.constantFrom(null, []);
    case 'map':
      return fc.constantFrom(null, {}, { Host: 'x' }, { 'x-a': 'a\nb' });
    default:
      return fc.constant(null);
  }
}

const isMember = ({ path }: TypedPath) => typeof path.at(-1) === 'number';
const isAt = (location: TypedPath['path'], path: TypedPath['path']) =>
  location.every((step, index) => step === path[index]);

/** A right configuration in which something is to be unknown, and what else is made wrong. */
function anyCase(resource: Resource, hiddenMax = 4) {
  const attributes = resourceAttributes(resource);
  const type = objectType(attributes);
  return anyFields(resource, existing).chain((fields) => {
    const right = fromJson(attributes, inTerraform(fields));
    const paths = typedPathsIn(type, right);
    const changes = fc
      .subarray([...paths], { maxLength: 3 })
      .chain((changed) =>
        fc.tuple(
          ...changed.map((location) => anyOf(location.type).map((put) => ({ location, put }))),
        ),
      );
    return fc.record({
      right: fc.constant(right),
      hidden: fc.subarray([...paths], { maxLength: hiddenMax }),
      changes: changes.map((all) =>
        all.filter(({ location, put }) => put !== null || !isMember(location)),
      ),
    });
  });
}

/** Without a method and turns with nobody, which the API alone takes. */
function inTerraform({ method, ...rest }: Record<string, unknown>) {
  const fields = { ...rest, ...(method !== 'PUT' && method !== undefined && { method }) };
  if (!('layers' in rest) || !Array.isArray(rest['layers'])) return fields;
  const layers = rest['layers'].map(({ users, ...layer }) => ({
    ...layer,
    users: users.filter((user: string | null) => user !== null),
  }));
  return { ...fields, layers };
}

type Change = { readonly location: TypedPath; readonly put: Value };
const changed = (value: Value, changes: readonly Change[]) =>
  changes.reduce((all, { location, put }) => putAt(all, location.path, put), value);
const concealed = (value: Value, hidden: readonly TypedPath[]) =>
  hidden.reduce((all, { path }) => putAt(all, path, unknown), value);

const putIsNot = ': PUT is for shift notifications. Set it in the dashboard or with the API';

/** What the API says, but of its zones and of the method that is its own. */
function problemsOfApi(resource: Resource, value: Value): readonly Problem[] {
  const json = toJson(resourceAttributes(resource), value, value);
  return readBody(resource, json)
    .problems.filter(({ message }) => !message.includes('time zone'))
    .map(({ path, message }) => ({ path, message: message.replace(', PUT', putIsNot) }));
}

for (const resource of records) {
  test(`of a ${resource.name} that is known, the plan says exactly what the API says`, () => {
    fc.assert(
      fc.property(anyCase(resource), ({ right, changes }) => {
        assert.deepEqual(problemsOf(resource, right, compileExpression), []);
        const config = changed(right, changes);
        assert.deepEqual(
          problemsOf(resource, config, compileExpression),
          problemsOfApi(resource, config),
        );
      }),
    );
  });

  test(`what is said of a ${resource.name} is so whatever becomes of the unknown`, () => {
    fc.assert(
      fc.property(anyCase(resource), ({ right, hidden, changes }) => {
        const elsewhere = changes.filter(
          ({ location }) => !hidden.some(({ path }) => isAt(path, location.path)),
        );
        const one = changed(right, elsewhere);
        fc.pre(!isMisshapenAt(resource, one, hidden));
        const whole = problemsOf(resource, one);
        const problems = problemsOf(resource, concealed(one, hidden));
        for (const problem of problems)
          assert.ok(isIn(whole, problem), `${problem.path} ${problem.message}`);
      }),
      { numRuns: 500 },
    );
  });

  test(`nothing is wrong with a ${resource.name} of which nothing is known`, () => {
    const names = resourceAttributes(resource).map(({ name }) => [name, unknown]);
    assert.deepEqual(problemsOf(resource, Object.fromEntries(names)), []);
  });

  if (resource === service) continue;
  test(`what is wrong with a ${resource.name} is said but around the unknown`, () => {
    fc.assert(
      fc.property(anyCase(resource, 1), ({ right, hidden, changes }) => {
        const [location] = hidden;
        fc.pre(location !== undefined && location.path.length > 1);
        const around = textOf(location.path.slice(0, -1));
        const config = changed(right, changes);
        const problems = problemsOf(resource, putAt(config, location.path, unknown));
        for (const problem of problemsOf(resource, config))
          if (!problem.path.startsWith(around)) assert.ok(isIn(problems, problem), problem.path);
      }),
      { numRuns: 300 },
    );
  });
}

const isIn = (problems: readonly Problem[], { path, message }: Problem) =>
  problems.some((one) => one.path === path && one.message === message);

function isMisshapenAt(resource: Resource, value: Value, hidden: readonly TypedPath[]): boolean {
  const read = readObject(resource.input, toJson(resourceAttributes(resource), value, value));
  const paths = hidden.map(({ path }) => textOf(path));
  return !read.ok && read.problems.some(({ path }) => paths.some((one) => path.startsWith(one)));
}

/** As in a problem; of the maps there is but one. */
const textOf = ([first, ...rest]: TypedPath['path']) =>
  rest.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return first === 'headers' ? `${text}[${JSON.stringify(step)}]` : `${text}.${step}`;
  }, String(first));

const email = { via: 'email', user_id: id };
const waits = 'must be at least 1 on every step except the last';
const oneOf = (via: string) =>
  `via ${via} requires exactly one of ${via === 'slack' ? 'channel_id and webhook_url' : 'user_id and oncall_schedule_id'}`;
const rule = {
  name: 'r',
  condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
  actions: [{ type: 'ignoreIncident' }],
};
const rotation = { length: 1, unit: 'days' };
const webhook = { name: 'w', url: 'https://x.test' };

const steps = (...all: Value[]): Value => ({ name: 'p', steps: all });
const target = (one: Value) => steps({ targets: [one] });
const layers = (...all: Value[]): Value => ({ name: 's', layers: all });
const inTarget = (field: string) => `steps[0].targets[0].${field}`;

const notATime = 'must be an ISO 8601 time with its offset, such as 2026-01-31T09:00:00Z';
const cover = (start: Value, end: Value): Value => ({
  oncall_schedule_id: id,
  user_id: unknown,
  start,
  end,
});
const [nine, ten] = ['2026-01-31T09:00:00+01:00', '2026-01-31T09:00:00Z'];

type Case = { what: string; resource: Resource; config: Value; problems: readonly Problem[] };
const cases: readonly Case[] = [
  {
    what: '2.2.1 a step that does not wait, beside targets that are unknown',
    resource: escalationPolicy,
    config: steps({ targets: unknown, escalate_after_minutes: 0 }, { targets: unknown }),
    problems: [{ path: 'steps[0].escalate_after_minutes', message: waits }],
  },
  {
    what: '2.2.1 a step that does not wait, before one that is unknown',
    resource: escalationPolicy,
    config: steps({ targets: [email] }, unknown),
    problems: [{ path: 'steps[0].escalate_after_minutes', message: waits }],
  },
  {
    what: 'nothing of a wait that is unknown',
    resource: escalationPolicy,
    config: steps({ targets: [email], escalate_after_minutes: unknown }, { targets: [email] }),
    problems: [],
  },
  {
    what: 'nothing of steps that are unknown',
    resource: escalationPolicy,
    config: { name: 'p', steps: unknown },
    problems: [],
  },
  {
    what: 'a name that is missing beside steps that are unknown',
    resource: escalationPolicy,
    config: { name: null, steps: unknown },
    problems: [{ path: 'name', message: 'is required' }],
  },
  {
    what: 'a person and a schedule that are unknown may be one of each',
    resource: escalationPolicy,
    config: target({ via: 'sms', user_id: unknown, oncall_schedule_id: unknown }),
    problems: [],
  },
  {
    what: 'a schedule that is unknown may be the one',
    resource: escalationPolicy,
    config: target({ via: 'sms', oncall_schedule_id: unknown }),
    problems: [],
  },
  {
    what: 'a person that is unknown goes with no chat, which lacks its channel',
    resource: escalationPolicy,
    config: target({ via: 'slack', user_id: unknown }),
    problems: [{ path: inTarget('channel_id'), message: oneOf('slack') }],
  },
  {
    what: 'a mention with a channel that is unknown may be right',
    resource: escalationPolicy,
    config: target({ via: unknown, user_id: id, mention: '@a' }),
    problems: [],
  },
  {
    what: 'a mention that does not go with mail, whoever gets it',
    resource: escalationPolicy,
    config: target({ via: 'email', user_id: unknown, mention: '@a' }),
    problems: [{ path: inTarget('mention'), message: 'is not allowed with via email' }],
  },
  {
    what: 'a person as no id, beside one who is unknown',
    resource: escalationPolicy,
    config: steps({
      targets: [
        { via: 'sms', user_id: unknown },
        { via: 'sms', user_id: 'me' },
      ],
    }),
    problems: [
      {
        path: 'steps[0].targets[1].user_id',
        message: 'must be an id: 24 lowercase hex characters',
      },
    ],
  },
  {
    what: 'what is wrong with a step, beside a target that is no id',
    resource: escalationPolicy,
    config: steps(
      { targets: [{ via: 'sms' }, { via: 'sms', user_id: 'me' }] },
      { targets: [{ via: 'sms', user_id: id }] },
    ),
    problems: [
      {
        path: 'steps[0].targets[1].user_id',
        message: 'must be an id: 24 lowercase hex characters',
      },
      {
        path: 'steps[0].escalate_after_minutes',
        message: 'must be at least 1 on every step except the last',
      },
      {
        path: 'steps[0].targets[0].user_id',
        message: 'via sms requires exactly one of user_id and oncall_schedule_id',
      },
    ],
  },
  {
    what: '2.4 service_ids without integration_ids',
    resource: alertRoutingRule,
    config: { ...rule, service_ids: [unknown] },
    problems: [{ path: 'service_ids', message: 'requires integration_ids' }],
  },
  {
    what: 'nothing of service_ids that may have their integration_ids',
    resource: alertRoutingRule,
    config: { ...rule, service_ids: [id], integration_ids: unknown },
    problems: [],
  },
  {
    what: 'a list that is empty, and none that is unknown',
    resource: alertRoutingRule,
    config: { ...rule, service_ids: unknown, integration_ids: [] },
    problems: [{ path: 'integration_ids', message: 'must not be empty' }],
  },
  {
    what: 'a field that does not go with its type, known or not',
    resource: alertRoutingRule,
    config: {
      ...rule,
      actions: [{ type: 'severity', severity: unknown, priority: 'p1', template: unknown }],
    },
    problems: [{ path: 'actions[0].priority', message: 'is not a known field' }],
  },
  {
    what: 'nothing of an action whose type is unknown, but of the one after it',
    resource: alertRoutingRule,
    config: {
      ...rule,
      actions: [
        { type: unknown, priority: 'p9' },
        { type: 'resolveTimer', after: 400, unit: 'days' },
      ],
    },
    problems: [{ path: 'actions[1].after', message: 'must be at most 365 days' }],
  },
  {
    what: 'nothing of a span whose unit is unknown',
    resource: integration,
    config: {
      slug: 'webhook',
      service_id: unknown,
      escalation_policy_id: unknown,
      auto_resolve: { after: 400, unit: unknown },
    },
    problems: [],
  },
  {
    what: 'a span too long for every unit',
    resource: integration,
    config: {
      slug: 'webhook',
      service_id: unknown,
      escalation_policy_id: unknown,
      auto_resolve: { after: 1_441, unit: unknown },
    },
    problems: [{ path: 'auto_resolve.after', message: 'must be at most 1440' }],
  },
  {
    what: 'numbers that are not whole, or not small',
    resource: escalationPolicy,
    config: {
      name: 'p',
      delay_minutes: new Decimal('5.5'),
      steps: [{ targets: [email], escalate_after_minutes: new Decimal('18446744073709551616') }],
    },
    problems: [
      { path: 'steps[0].escalate_after_minutes', message: 'must be a whole number' },
      { path: 'delay_minutes', message: 'must be a whole number' },
    ],
  },
  {
    what: 'a method that only the API takes',
    resource: outboundWebhook,
    config: { ...webhook, method: 'PUT' },
    problems: [{ path: 'method', message: `must be one of GET, POST${putIsNot}` }],
  },
  {
    what: 'a header that is the service’s own, and none whose value may be none',
    resource: outboundWebhook,
    config: { ...webhook, headers: { Host: 'a', 'Content-Type': unknown } },
    problems: [{ path: 'headers["Host"]', message: 'is set by Pager' }],
  },
  {
    what: 'a header that is named twice, of which one would be lost',
    resource: outboundWebhook,
    config: { ...webhook, headers: { 'X-A': '1', 'x-a': '2' } },
    problems: [{ path: 'headers["x-a"]', message: 'is listed twice, ignoring case' }],
  },
  {
    what: '2.6.3 a turn with nobody',
    resource: oncallSchedule,
    config: layers({ users: [id, null], rotation }),
    problems: [{ path: 'layers[0].users[1]', message: 'must not be null' }],
  },
  {
    what: 'a day of handoff with days, whoever has the turns',
    resource: oncallSchedule,
    config: layers({ users: unknown, rotation: { ...rotation, handoff_day: 'monday' } }),
    problems: [
      { path: 'layers[0].rotation.handoff_day', message: 'is allowed only with unit weeks' },
    ],
  },
  {
    what: 'nothing of a day of handoff whose unit is unknown',
    resource: oncallSchedule,
    config: layers({
      users: [unknown],
      rotation: { length: 1, unit: unknown, handoff_day: 'monday' },
    }),
    problems: [],
  },
  {
    what: 'times without an offset, and on a day that no month has',
    resource: override,
    config: cover('2026-01-31T09:00:00', '2026-02-29T09:00:00Z'),
    problems: [
      { path: 'start', message: notATime },
      { path: 'end', message: notATime },
    ],
  },
  {
    what: 'a time of a year that is not stored',
    resource: override,
    config: cover('0999-01-31T09:00:00Z', unknown),
    problems: [{ path: 'start', message: 'must be between the years 1000 and 2999' }],
  },
  {
    what: 'nothing of times that differ by their offsets alone',
    resource: override,
    config: cover(nine, ten),
    problems: [],
  },
  {
    what: 'an end that is not after the start',
    resource: override,
    config: cover(ten, nine),
    problems: [{ path: 'end', message: 'must be after start' }],
  },
  {
    what: 'an end more than ten years after the start',
    resource: override,
    config: cover(nine, '2036-02-15T09:00:00Z'),
    problems: [{ path: 'end', message: 'must be at most ten years after start' }],
  },
  {
    what: 'nothing of a time beside one that is unknown',
    resource: override,
    config: cover(unknown, ten),
    problems: [],
  },
];
for (const { what, resource, config, problems } of cases)
  test(`problems: ${what}`, () => assert.deepEqual(problemsOf(resource, config), problems));

test('a zone that is not known here is a warning at its path, and no problem', () => {
  const config: Value = {
    ...rule,
    condition_groups: [
      {
        conditions: [
          { type: 'incidentTiming', start: '00:00', end: '09:00', timezone: 'Mars/Phobos' },
          { type: 'incidentDays', days: ['monday'], timezone: unknown },
          { type: 'incidentDays', days: ['monday'], timezone: 'Europe/Berlin' },
        ],
      },
    ],
  };
  assert.deepEqual(problemsOf(alertRoutingRule, config), []);
  assert.deepEqual(unknownZones(alertRoutingRule, config), [
    {
      path: 'condition_groups[0].conditions[0].timezone',
      message: 'is not a known time zone: Mars/Phobos',
    },
  ]);
  const schedule = { ...Object(layers({ users: [id], rotation })), timezone: unknown };
  assert.deepEqual(unknownZones(oncallSchedule, schedule), []);
});
