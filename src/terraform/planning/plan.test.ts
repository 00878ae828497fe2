import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { anyFields } from '../../../test/any-fields.ts';
import { flag, listOf, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { integration } from '../../resources/integration.ts';
import { service } from '../../resources/service.ts';
import { fieldOf, fromJson } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { resourceAttributes } from '../schema.ts';
import { planRecord } from './plan.ts';

const [teamA, teamB] = ['65f0a1b2c3d4e5f601234567', '65f0a1b2c3d4e5f601234568'];
const kinds = ['user', 'team', ...records.map(({ name }) => name)];
const existing = Object.fromEntries(kinds.map((kind) => [kind, [teamA, teamB]]));

type PlanValues = { readonly [name: string]: Value };
type Case = { prior?: PlanValues; config: PlanValues; teamId?: string | Unknown };

/** As Terraform proposes: what is configured, else what only the service or a default sets. */
function plan(attributes: ReturnType<typeof resourceAttributes>, { prior, config, teamId }: Case) {
  const proposed = Object.fromEntries(
    attributes.map(({ name, set }) => {
      const carried = set === 'computed' || set === 'fallback' ? prior?.[name] : null;
      return [name, config[name] ?? carried ?? null];
    }),
  );
  const options = { config, proposed, teamId: teamId ?? new Unknown() };
  return planRecord({ attributes, prior: prior ?? null, ...options });
}

const services = resourceAttributes(service);
const integrations = resourceAttributes(integration);
const stored = { id: teamB, counter: 4, name: 'web', description: null, team_id: teamA };

test('of a new record, all that the service sets is unknown', () => {
  const { planned } = plan(integrations, { config: { slug: 'webhook' } });
  for (const name of ['id', 'counter', 'token', 'webhook_url', 'email_address', 'team_id'])
    assert.ok(fieldOf(planned, name) instanceof Unknown, name);
  assert.equal(fieldOf(planned, 'slug'), 'webhook');
  assert.equal(fieldOf(planned, 'description'), null);
});

test('what the service sets stays as it was, whatever is configured', () => {
  const config = { id: teamA, counter: 9, name: 'store' };
  const { planned } = plan(services, { prior: stored, config });
  assert.deepEqual(planned, { ...stored, name: 'store' });
});

test('a new record gets its declared defaults where its configuration says nothing', () => {
  const { planned } = plan(integrations, { config: { repeat_escalation: true } });
  const fields = ['enabled', 'repeat_escalation', 'disable_incident_suppression'];
  assert.deepEqual(
    fields.map((name) => fieldOf(planned, name)),
    [true, true, false],
  );
});

const unknown = new Unknown();
const teams = [
  { what: 'its own', config: { team_id: teamB }, teamId: teamA, is: teamB },
  { what: 'the provider’s', config: {}, teamId: teamA, is: teamA },
  { what: 'known after apply', config: {}, teamId: unknown, is: unknown },
  { what: 'its own, yet to be known', config: { team_id: unknown }, teamId: teamA, is: unknown },
];
for (const { what, config, teamId, is } of teams) {
  test(`the team of a new record is ${what}`, () => {
    const { planned, replacing } = plan(services, { config, teamId });
    assert.equal(fieldOf(planned, 'team_id'), is);
    assert.deepEqual(replacing, []);
  });
}

const moves = [
  { what: 'another team', config: { team_id: teamB }, replacing: ['team_id'] },
  { what: 'a team that is yet to be known', config: { team_id: unknown }, replacing: ['team_id'] },
  { what: 'the same team', config: { team_id: teamA }, replacing: [] },
  { what: 'no team any more', config: {}, replacing: [] },
];
for (const { what, config, replacing } of moves) {
  test(`${what} ${replacing.length > 0 ? 'takes another record' : 'leaves the record'}`, () => {
    const result = plan(services, { prior: stored, config, teamId: teamB });
    assert.deepEqual(result.replacing, replacing);
    assert.equal(fieldOf(result.planned, 'team_id'), config.team_id ?? teamA);
  });
}

test('what the service has set stays through every change', () => {
  const { planned } = plan(services, { prior: stored, config: { name: 'api', description: '' } });
  assert.deepEqual(planned, { ...stored, name: 'api', description: '' });
});

test('a default that is no longer overruled comes back', () => {
  const prior = { ...stored, enabled: false };
  assert.equal(fieldOf(plan(integrations, { prior, config: {} }).planned, 'enabled'), true);
  const config = { enabled: false };
  assert.equal(fieldOf(plan(integrations, { prior, config }).planned, 'enabled'), false);
});

test('a value that is yet to be known is not taken for none', () => {
  const config = { enabled: unknown };
  assert.equal(fieldOf(plan(integrations, { config }).planned, 'enabled'), unknown);
});

test('to archive is to plan nothing', () => {
  const ending = { prior: stored, config: null, proposed: null, teamId: teamB };
  assert.deepEqual(planRecord({ attributes: services, ...ending }), {
    planned: null,
    replacing: [],
  });
});

test('defaults stand in nested objects, too', () => {
  const inner = objectOf({
    on: optional(flag({ doc: '', default: true })),
    name: text({ doc: '' }),
  });
  const fields = { one: inner, many: listOf(inner, { doc: '', max: 9 }), more: optional(inner) };
  const attributes = resourceAttributes(
    resource({
      name: 'a',
      table: 'a',
      route: 'a',
      doc: '',
      fields,
      computed: { at: Type.String() },
    }),
  );
  const without = { on: null, name: 'n' };
  const config = { one: without, many: [without, { on: false, name: 'm' }, unknown], more: null };
  const { planned } = plan(attributes, { config });
  assert.deepEqual(fieldOf(planned, 'one'), { on: true, name: 'n' });
  assert.deepEqual(fieldOf(planned, 'many'), [
    { on: true, name: 'n' },
    { on: false, name: 'm' },
    unknown,
  ]);
  assert.equal(fieldOf(planned, 'more'), null);
});

for (const declared of records) {
  test(`a ${declared.name} that is as configured is planned as it is`, () => {
    const attributes = resourceAttributes(declared);
    fc.assert(
      fc.property(anyFields(declared, existing), fc.boolean(), (fields, namesTeam) => {
        const config = fromJson(attributes, { ...fields, ...(namesTeam && { team_id: teamA }) });
        const created = planRecord({
          attributes,
          config,
          teamId: teamA,
          prior: null,
          proposed: config,
        }).planned;
        const prior = { ...(created as PlanValues), id: teamB, counter: 1 };
        const again = plan(attributes, { prior, config: config as PlanValues, teamId: teamB });
        assert.deepEqual(again, { planned: prior, replacing: [] });
      }),
    );
  });

  test(`whatever a ${declared.name} was, what its configuration sets is planned`, () => {
    const attributes = resourceAttributes(declared);
    const any = anyFields(declared, existing);
    fc.assert(
      fc.property(fc.option(any), any, (before, after) => {
        const config = fromJson(attributes, after) as PlanValues;
        const prior = before && (fromJson(attributes, { ...before, team_id: teamA }) as PlanValues);
        const { planned } = plan(attributes, { ...(prior && { prior }), config });
        for (const [name, value] of Object.entries(config))
          if (value !== null) assert.deepEqual(fieldOf(planned, name), value);
      }),
    );
  });
}
