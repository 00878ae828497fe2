// Whatever a configuration says, an apply leaves nothing to do, and neither does an import.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { managedRecords } from '../../src/terraform/managed.ts';
import type { Existing } from '../any-fields.ts';
import { anyResources, fullyConfigured } from './any-configuration.ts';
import {
  existingIn,
  type Fields,
  literal,
  type Resources,
  type RunningTerraform,
  startTerraform,
} from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const perType = 8;

describe('random configurations', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  let existing: Existing;
  let resource: Resources;
  before(async () => {
    at = await startTerraform();
    existing = await existingIn(at);
    // However slow the machine is, what is asked for is answered in the end.
    const patient = 'provider "pager" {\n  timeout     = 3600\n  max_retries = 1000\n}\n';
    await writeFile(join(at.workspace.folder, 'patient.tf'), patient);
  });
  after(() => at[Symbol.asyncDispose]());

  test('applied, they leave nothing to do, however they change', async () => {
    resource = literal(anyResources(existing, perType));
    await at.configure({ resource });
    await at.apply();
    assert.deepEqual(await at.changes(), []);

    resource = literal(anyResources(existing, perType, 1));
    await at.configure({ resource });
    const changes = await at.changes();
    assert.deepEqual(new Set(changes.map(({ actions }) => actions)), new Set(['update']));
    await at.apply('planned');
    assert.deepEqual(await at.changes(), []);
  });

  test('imported, by each form of an id, they leave nothing to do', async () => {
    const records = await at.state();
    await at.forget();
    const blocks = [...records].map(([to, record], index) => ({ to, id: idIn(record, index) }));
    await at.configure({ resource, import: blocks });
    const changes = await at.changes();
    assert.equal(changes.length, records.size);
    assert.deepEqual(new Set(changes.map(({ actions }) => actions)), new Set(['no-op']));
    await at.apply('planned');
    assert.deepEqual(await at.changes(), []);
  });

  test('imported by the command, they leave nothing to do', async () => {
    const records = [...(await at.state())].filter(([address]) =>
      /_service\.r[0-3]$/.test(address),
    );
    await at.forget();
    const { pager_service } = resource;
    const named = records.map(([address]) => address.split('.')[1] ?? '');
    const services = Object.fromEntries(named.map((name) => [name, pager_service?.[name] ?? {}]));
    await at.configure({ resource: { pager_service: services } });
    for (const [index, [address, record]] of records.entries())
      await at.succeeds('import', '-input=false', address, idIn(record, index));
    assert.deepEqual(await at.changes(), []);
  });

  test('what Terraform writes of an import is the configuration', async () => {
    const written = join(at.workspace.folder, 'generated.tf');
    await at.configure({ resource });
    await at.forget();
    const blocks: object[] = [];
    for (const { typeName, resource: declared } of managedRecords) {
      const records = await at.server.api.list(declared.route);
      const whole = records.filter(isWritten).slice(0, perType);
      blocks.push(...whole.map(({ id }, index) => ({ to: `${typeName}.g${index}`, id })));
    }
    await at.configure({ import: blocks });
    const changes = await at.changes(`-generate-config-out=${written}`);
    assert.equal(changes.length, blocks.length);
    assert.deepEqual(new Set(changes.map(({ actions }) => actions)), new Set(['no-op']));
    await at.apply('planned');
    assert.deepEqual(await at.changes(), []);
    await rm(written);
    await at.forget();
  });

  test('each attribute changes and goes alone, and its record stays', async () => {
    const cases = managedRecords.flatMap((one) => {
      const attributes = fullyConfigured(one, existing);
      const whole = Object.fromEntries(attributes.map(({ name, value }) => [name, value]));
      return attributes.map((each) => ({
        ...each,
        type: one.typeName,
        whole: wholeFor(each, whole),
      }));
    });
    const configured = (fieldsOf: (one: (typeof cases)[number]) => Fields) => {
      const blocks = cases.map((one) => ({ [one.type]: { [one.name]: literal(fieldsOf(one)) } }));
      return at.configure({ resource: blocks });
    };
    /** Answers how many are changed. */
    const alone = async () => {
      const changes = await at.changes();
      for (const { address, actions, attributes } of changes)
        assert.deepEqual([actions, ...attributes], ['update', address.split('.')[1]], address);
      await at.apply('planned');
      assert.deepEqual(await at.changes(), []);
      return changes.length;
    };
    await configured(({ whole, name, other }) => ({ ...whole, [name]: other }));
    await at.apply();
    assert.deepEqual(await at.changes(), []);

    await configured(({ whole }) => whole);
    assert.equal(await alone(), cases.length);

    await configured(({ whole, name, isLeft, value }) => ({
      ...whole,
      [name]: isLeft ? value : null,
    }));
    assert.equal(await alone(), cases.filter(({ isLeft }) => !isLeft).length);
  });

  test('records as large as they may be are made, and read as they were', async () => {
    await at.configure({ resource: literal(largest(existing)) });
    await at.apply();
    assert.deepEqual(await at.changes(), []);
    // They were read a moment ago.
    await at.succeeds('destroy', '-auto-approve', '-refresh=false');
  });
});

/** It leaves sensitive values to its user, and writes null for an empty text. */
const isWritten = ({ url, steps, ...rest }: Fields) =>
  !/"(webhook_)?url":/.test(JSON.stringify({ url, steps })) &&
  !JSON.stringify({ rest, steps }).includes(':""');

/** What needs another attribute is not there where that one goes. */
const needing: Readonly<Record<string, string>> = {
  integration_ids: 'service_ids',
  run_automatically: 'condition_groups',
};

function wholeFor({ name }: { readonly name: string }, whole: Fields): Fields {
  const { [needing[name] ?? '']: _, ...rest } = whole;
  return rest;
}

/** One of the four forms. */
function idIn({ id, counter, team_id }: Fields, index: number): string {
  const key = index % 4 < 2 ? id : counter;
  return index % 2 === 0 ? `${key}` : `${team_id}/${key}`;
}

/** Terraform takes seconds for thousands of objects that may have a secret: these are fewer. */
function largest({ user = [], integration = [] }: Existing): Resources {
  const [owner = '', ada = ''] = user;
  const text = (length: number) => '👩'.repeat(length / 2);
  const many = <One>(length: number, one: One): readonly One[] => Array(length).fill(one);
  const common = { name: `${text(254)}.`, description: text(10_000) };
  const window = { from_day: 'monday', from_time: '00:00', to_day: 'monday', to_time: '08:00' };
  const layer = {
    users: many(500, [ada, owner]).flat(),
    rotation: { length: 1_000, unit: 'days' },
  };
  const restriction = { type: 'weekly', windows: many(100, window) };
  const headers = many(100, 'v'.repeat(8_192)).map((value, index) => [`x-${index}`, value]);
  const condition = { type: 'incidentMessage', comparator: 'contains', text: text(100) };
  return {
    pager_service: { large: common },
    pager_escalation_policy: {
      large: {
        ...common,
        steps: many(50, {
          targets: many(2, { via: 'sms', user_id: ada }),
          escalate_after_minutes: 1_440,
        }),
      },
    },
    pager_outbound_webhook: {
      large: {
        ...common,
        url: `https://large.test/${'p'.repeat(2_000)}`,
        headers: Object.fromEntries(headers),
      },
    },
    pager_oncall_schedule: {
      large: {
        name: common.name,
        layers: [layer, ...many(98, { ...layer, users: [ada] }), { ...layer, restriction }],
      },
    },
    pager_playbook: {
      large: { ...common, actions: many(100, { type: 'note', text: text(10_000) }) },
    },
    pager_alert_routing_rule: {
      large: {
        ...common,
        integration_ids: many(1_000, integration[0]),
        condition_groups: many(100, { conditions: many(2, condition) }),
        actions: many(100, { type: 'title', template: text(1_000) }),
      },
    },
  };
}
