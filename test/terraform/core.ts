// Terraform's core as far as one resource at a time needs it, over the provider's own calls.
import assert from 'node:assert/strict';
import { compileExpression } from '../../src/rules/expression.ts';
import { unconfirmedId } from '../../src/terraform/calls/unconfirmed.ts';
import { configurationAttributes } from '../../src/terraform/configuration.ts';
import { fieldOf } from '../../src/terraform/convert.ts';
import { dataSources } from '../../src/terraform/data-sources/index.ts';
import type { Diagnostic } from '../../src/terraform/diagnostics.ts';
import { managed as allManaged, type Managed, managedAs } from '../../src/terraform/managed.ts';
import type { Handlers } from '../../src/terraform/protocol/grpc.ts';
import { type dynamicValue, providerService } from '../../src/terraform/protocol/messages.ts';
import { type Draft, decode, encode, type Message } from '../../src/terraform/protocol/protobuf.ts';
import {
  decodeValue,
  encodeValue,
  type Type,
  type Value,
} from '../../src/terraform/protocol/value.ts';
import { createProvider } from '../../src/terraform/provider.ts';
import { objectType } from '../../src/terraform/schema.ts';

type Service = typeof providerService;
type Config = { readonly [name: string]: Value };

/** What Terraform keeps of one resource. */
export type State = { readonly value: Value; readonly privateState: Uint8Array };
export type Step = { readonly state: State; readonly diagnostics: readonly Diagnostic[] };
export type Planned = Step & {
  readonly replaces: boolean;
  readonly isChange: boolean;
  readonly config: Config | null;
};

const nothing: State = { value: null, privateState: new Uint8Array() };
const severities = { error: 1, warning: 2 };

export class Core {
  readonly #provider: Handlers<Service>;
  readonly #managed: readonly Managed[];
  #config: Config = {};
  /** Terraform configures the provider for each walk: a plan, or an apply. */
  #walk: 'plan' | 'apply' | null = null;

  constructor(managed: readonly Managed[] = allManaged) {
    this.#managed = managed;
    this.#provider = createProvider({
      environment: {},
      version: 'test',
      managed,
      loadExpressions: async () => compileExpression,
      log() {},
      // Of one record at a time, nothing more arrives.
      delay: (_ms, then) => {
        const immediate = setImmediate(then);
        return () => clearImmediate(immediate);
      },
    });
  }

  /** A call as it goes over the wire. */
  async call<Name extends keyof Service>(
    name: Name,
    request: Draft<Service[Name]['request']>,
  ): Promise<Message<Service[Name]['response']>> {
    const method = providerService[name];
    const handler = this.#provider[name] as (
      sent: unknown,
    ) => Promise<Draft<typeof method.response>>;
    const answer = await handler(decode(method.request, encode(method.request, request)));
    return decode(method.response, encode(method.response, answer)) as never;
  }

  async configure(config: Config): Promise<readonly Diagnostic[]> {
    this.#config = config;
    this.#walk = null;
    const value = sent(objectType(configurationAttributes), config);
    return (await this.call('ConfigureProvider', { config: value })).diagnostics;
  }

  async validate(typeName: string, config: Config): Promise<readonly Diagnostic[]> {
    const value = sent(managedAs(this.#managed, typeName).type, config);
    const client_capabilities = { write_only_attributes_allowed: true };
    const request = { type_name: typeName, config: value, client_capabilities };
    return (await this.call('ValidateResourceConfig', request)).diagnostics;
  }

  async plan(typeName: string, config: Config | null, prior = nothing): Promise<Planned> {
    await this.#beginPlan();
    const as = managedAs(this.#managed, typeName);
    const { planned_state, planned_private, requires_replace, diagnostics } = await this.call(
      'PlanResourceChange',
      {
        type_name: typeName,
        prior_state: sent(as.type, prior.value),
        proposed_new_state: sent(as.type, proposed(as, config, prior.value)),
        config: sent(as.type, config),
        prior_private: prior.privateState,
      },
    );
    const value = got(as.type, planned_state);
    const isChange = !encodeValue(as.type, value).equals(encodeValue(as.type, prior.value));
    const state = { value, privateState: planned_private };
    const replaces = requires_replace.length > 0;
    const isWrong = errorsOf(diagnostics).length > 0;
    if (!replaces || isWrong) return { state, diagnostics, replaces, isChange, config };
    // Then the creation is planned, with what the provider keeps of the first plan. Terraform shows
    // its warnings only beside an error.
    const creation = await this.plan(typeName, config, {
      ...nothing,
      privateState: planned_private,
    });
    const isCreatable = errorsOf(creation.diagnostics).length === 0;
    const shown = isCreatable ? diagnostics : [...diagnostics, ...creation.diagnostics];
    return { state: creation.state, diagnostics: shown, replaces, isChange, config };
  }

  /** Does what was planned. */
  async apply(
    typeName: string,
    planned: Pick<Planned, 'state' | 'config'>,
    prior = nothing,
  ): Promise<Step> {
    this.#walk = 'apply';
    const { type } = managedAs(this.#managed, typeName);
    const answer = await this.call('ApplyResourceChange', {
      type_name: typeName,
      prior_state: sent(type, prior.value),
      planned_state: sent(type, planned.state.value),
      config: sent(type, planned.config),
      planned_private: planned.state.privateState,
    });
    const state = { value: got(type, answer.new_state), privateState: answer.private };
    return { state, diagnostics: answer.diagnostics };
  }

  async #beginPlan(): Promise<void> {
    if (this.#walk === 'apply') await this.configure(this.#config);
    if (this.#walk === null) await this.#readAnother();
    this.#walk = 'plan';
  }

  /** A plan begins with reads: here with one that needs no request. */
  async #readAnother(): Promise<void> {
    const [as] = this.#managed;
    if (as === undefined) return;
    const fields = as.attributes.map(({ name }): [string, Value] => [name, null]);
    const value = { ...Object.fromEntries(fields), id: unconfirmedId('another') };
    await this.call('ReadResource', {
      type_name: as.typeName,
      current_state: sent(as.type, value),
      private: nothing.privateState,
    });
  }

  /** Plans and applies, and wants no error of it. */
  async make(typeName: string, config: Config | null, prior = nothing): Promise<State> {
    const planned = await this.plan(typeName, config, prior);
    const { state, diagnostics } = await this.apply(typeName, planned, prior);
    assert.deepEqual(errorsOf([...planned.diagnostics, ...diagnostics]), []);
    return state;
  }

  async read(typeName: string, { value, privateState }: State): Promise<Step> {
    const { type } = managedAs(this.#managed, typeName);
    const answer = await this.call('ReadResource', {
      type_name: typeName,
      current_state: sent(type, value),
      private: privateState,
    });
    const state = { value: got(type, answer.new_state), privateState: answer.private };
    return { state, diagnostics: answer.diagnostics };
  }

  /** Looks something up in a data source. */
  async readData(typeName: string, config: Config): Promise<Step> {
    const { attributes } = dataSources.find((one) => one.typeName === typeName) ?? assert.fail();
    const type = objectType(attributes);
    const request = { type_name: typeName, config: sent(type, config) };
    const { diagnostics } = await this.call('ValidateDataResourceConfig', request);
    if (diagnostics.length > 0) return { state: nothing, diagnostics };
    const answer = await this.call('ReadDataSource', request);
    const state = { value: got(type, answer.state), privateState: nothing.privateState };
    return { state, diagnostics: answer.diagnostics };
  }

  async import(typeName: string, id: string): Promise<Step> {
    const answer = await this.call('ImportResourceState', { type_name: typeName, id });
    const [imported] = answer.imported_resources;
    if (imported === undefined) return { state: nothing, diagnostics: answer.diagnostics };
    const value = got(managedAs(this.#managed, typeName).type, imported.state);
    return this.read(typeName, { value, privateState: imported.private });
  }
}

const sent = (type: Type, value: Value) => ({ msgpack: encodeValue(type, value) });

const got = (type: Type, value: Message<typeof dynamicValue> | undefined): Value =>
  value === undefined ? null : decodeValue(type, value.msgpack);

/** What the service sets, and what may be left to it, stays where the configuration is silent. */
function proposed({ attributes }: Managed, config: Config | null, prior: Value): Value {
  if (config === null) return null;
  const fields = attributes.map(({ name, set }): [string, Value] => {
    const value = config[name] ?? null;
    const isUnchanged = value === null && (set === 'computed' || set === 'fallback');
    return [name, isUnchanged ? fieldOf(prior, name) : value];
  });
  return Object.fromEntries(fields);
}

const texts = (diagnostics: readonly Diagnostic[], severity: number) =>
  diagnostics
    .filter((one) => one.severity === severity)
    .map(({ summary, detail }) => `${summary}: ${detail}`);

export const errorsOf = (diagnostics: readonly Diagnostic[]) =>
  texts(diagnostics, severities.error);
export const warningsOf = (diagnostics: readonly Diagnostic[]) =>
  texts(diagnostics, severities.warning);
