// The schema as the real Terraform understands it, on every Node that this machine has.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Attribute } from '../../src/terraform/schema.ts';
import { schemaText } from './schema-text.ts';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const golden = join(import.meta.dirname, 'schema.txt');

for (const folder of nodeFolders) {
  describe(`with the Node of ${folder}`, { skip: noTerraform ?? false }, () => {
    test('Terraform knows records and data sources as we declare them', async () => {
      await using terraform = await Workspace.open(folder);
      await terraform.configure('');
      const { output, errors } = await terraform.run('providers', 'schema', '-json');
      assert.equal(errors, '');
      const [provider] = Object.values<Provider>(JSON.parse(output).provider_schemas);
      const { resource_schemas: records, data_source_schemas: sources } = provider ?? {};
      const all = { ...attributesOfEach('', records), ...attributesOfEach('data ', sources) };
      assert.equal(schemaText(all), await readFile(golden, 'utf8'));
      const key = provider?.provider.block.attributes['api_key'];
      assert.deepEqual([key?.optional, key?.sensitive], [true, true]);
    });

    test('a configuration is validated, and what is wrong is told at its line', async () => {
      await using terraform = await Workspace.open(folder);
      await terraform.configure('provider "pager" { team_id = "5f0c1e2d3c4b5a6978877665" }');
      const good = await terraform.run('validate');
      assert.match(good.output, /The configuration is valid/);
      assert.equal(good.code, 0);

      // Terraform looks only at providers that have something to do.
      const service = 'resource "pager_service" "shop" { name = "Shop" }';
      await terraform.configure(`provider "pager" {\n  base_url = "nowhere"\n}\n${service}`);
      const bad = await terraform.run('validate');
      assert.match(bad.errors, /Error: Invalid base_url\s+with provider.*\s+on main.tf line 2/);
      assert.equal(bad.code, 1);
    });

    test('what only the service sets cannot be configured, known or not', async () => {
      await using terraform = await Workspace.open(folder);
      await terraform.configure(`
        resource "pager_service" "shop" {
          name = "Shop"
        }
        resource "pager_integration" "shop" {
          slug                 = "webhook"
          service_id           = pager_service.shop.id
          escalation_policy_id = "5f0c1e2d3c4b5a6978877665"
          id                   = pager_service.shop.id
          counter              = 1
          token                = "token"
          webhook_url          = "https://example.com"
          email_address        = "a@example.com"
        }
        data "pager_integration" "shop" {
          name    = "Shop"
          token   = "token"
          enabled = true
        }
        data "pager_integration_types" "all" {
          types = []
        }`);
      const { code, errors } = await terraform.run('validate');
      assert.equal(code, 1);
      const refused = errors.matchAll(
        /Invalid Configuration for Read-Only Attribute\s+with (\S+),\s+on main.tf line \d+, in .*\s+\d+:\s+(\w+)/g,
      );
      assert.deepEqual(Array.from(refused, ([, address, name]) => `${address} ${name}`).sort(), [
        'data.pager_integration.shop enabled',
        'data.pager_integration.shop token',
        'data.pager_integration_types.all types',
        'pager_integration.shop counter',
        'pager_integration.shop email_address',
        'pager_integration.shop id',
        'pager_integration.shop token',
        'pager_integration.shop webhook_url',
      ]);
    });
  });
}

type Block = { readonly attributes: Readonly<Record<string, TerraformAttribute>> };
type Schemas = Readonly<Record<string, { readonly block: Block }>>;
type Provider = {
  readonly provider: { readonly block: Block };
  readonly resource_schemas: Schemas;
  readonly data_source_schemas: Schemas;
};
type TerraformAttribute = {
  readonly type?: 'string';
  readonly nested_type?: Block & { readonly nesting_mode: 'single' | 'list' };
  readonly description: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly write_only?: boolean;
};

const attributesOfEach = (prefix: string, schemas: Schemas = {}) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, { block }]) => [`${prefix}${name}`, attributesOf(block)]),
  );

/** Back from Terraform's notation to ours. */
function attributesOf({ attributes }: Block): readonly Attribute[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    description: attribute.description,
    set: setOf(attribute),
    isSensitive: attribute.sensitive === true,
    ...(attribute.write_only === true && { isWriteOnly: true }),
    shape: shapeOf(attribute),
  }));
}

function shapeOf({ type, nested_type }: TerraformAttribute): Attribute['shape'] {
  if (nested_type)
    return { nesting: nested_type.nesting_mode, attributes: attributesOf(nested_type) };
  return type ? { type } : assert.fail('an attribute has no type');
}

function setOf({ required, optional, computed }: TerraformAttribute): Attribute['set'] {
  if (required) return 'required';
  if (optional) return computed ? 'fallback' : 'optional';
  return 'computed';
}
