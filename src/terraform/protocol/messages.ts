// The messages of Terraform's plugin protocol, version 6, that this provider takes part in. What
// it neither reads nor sends is left out: protocol buffers pass over unknown fields.
import { bool, bytes, list, map, one, string, type Table, uint } from './protobuf.ts';

/** A value of a resource or of a configuration. */
export const dynamicValue = { msgpack: bytes(1), json: bytes(2) };

const attributePath = {
  /** Each step has one of these. */
  steps: list(1, {
    attribute_name: string(1),
    element_key_string: string(2),
    element_key_int: uint(3),
  }),
};

export const severity = { error: 1, warning: 2 } as const;

export const diagnostic = {
  severity: uint(1),
  summary: string(2),
  detail: string(3),
  attribute: one(4, attributePath),
};
const diagnostics = (number: number) => list(number, diagnostic);

export const nesting = { single: 1, list: 2, set: 3, map: 4 } as const;
export const markdown = 1;

// Its attributes may be nested again, which is more than inference can follow.
const nestedType = { attributes: list(1, (): Table => attribute), nesting: uint(3) };

export const attribute = {
  name: string(1),
  /** The type in cty's JSON; empty when it is nested. */
  type: bytes(2),
  description: string(3),
  required: bool(4),
  optional: bool(5),
  computed: bool(6),
  sensitive: bool(7),
  description_kind: uint(8),
  nested_type: one(10, nestedType),
  write_only: bool(11),
};

export const schema = {
  version: uint(1),
  block: one(2, {
    attributes: list(2, attribute),
    description: string(4),
    description_kind: uint(5),
  }),
};

export const functionMessage = {
  parameters: list(1, {
    name: string(1),
    /** In cty's JSON, as that of an attribute. */
    type: bytes(2),
    description: string(5),
    description_kind: uint(6),
  }),
  return: one(3, { type: bytes(1) }),
  summary: string(4),
  description: string(5),
  description_kind: uint(6),
};

const serverCapabilities = {
  plan_destroy: bool(1),
  get_provider_schema_optional: bool(2),
  move_resource_state: bool(3),
};
const clientCapabilities = { write_only_attributes_allowed: bool(2) };
const named = { type_name: string(1) };
const value = (number: number) => one(number, dynamicValue);
const rawState = { json: bytes(1) };

/** Every method of the service that this provider answers. */
export const providerService = {
  GetMetadata: {
    request: {},
    response: {
      server_capabilities: one(1, serverCapabilities),
      diagnostics: diagnostics(2),
      data_sources: list(3, named),
      resources: list(4, named),
      functions: list(5, { name: string(1) }),
      ephemeral_resources: list(6, named),
    },
  },
  GetProviderSchema: {
    request: {},
    response: {
      provider: one(1, schema),
      resource_schemas: map(2, schema),
      data_source_schemas: map(3, schema),
      diagnostics: diagnostics(4),
      server_capabilities: one(6, serverCapabilities),
      functions: map(7, functionMessage),
      ephemeral_resource_schemas: map(8, schema),
    },
  },
  GetFunctions: {
    request: {},
    response: { functions: map(1, functionMessage), diagnostics: diagnostics(2) },
  },
  CallFunction: {
    request: { name: string(1), arguments: list(2, dynamicValue) },
    response: {
      result: value(1),
      error: one(2, { text: string(1), function_argument: uint(2) }),
    },
  },
  ValidateProviderConfig: {
    request: { config: value(1) },
    response: { diagnostics: diagnostics(2) },
  },
  ConfigureProvider: {
    request: { terraform_version: string(1), config: value(2) },
    response: { diagnostics: diagnostics(1) },
  },
  ValidateResourceConfig: {
    request: {
      type_name: string(1),
      config: value(2),
      client_capabilities: one(3, clientCapabilities),
    },
    response: { diagnostics: diagnostics(1) },
  },
  ValidateDataResourceConfig: {
    request: { type_name: string(1), config: value(2) },
    response: { diagnostics: diagnostics(1) },
  },
  UpgradeResourceState: {
    request: { type_name: string(1), version: uint(2), raw_state: one(3, rawState) },
    response: { upgraded_state: value(1), diagnostics: diagnostics(2) },
  },
  ReadResource: {
    request: { type_name: string(1), current_state: value(2), private: bytes(3) },
    response: { new_state: value(1), diagnostics: diagnostics(2), private: bytes(3) },
  },
  PlanResourceChange: {
    request: {
      type_name: string(1),
      prior_state: value(2),
      proposed_new_state: value(3),
      config: value(4),
      prior_private: bytes(5),
    },
    response: {
      planned_state: value(1),
      requires_replace: list(2, attributePath),
      planned_private: bytes(3),
      diagnostics: diagnostics(4),
    },
  },
  ApplyResourceChange: {
    request: {
      type_name: string(1),
      prior_state: value(2),
      planned_state: value(3),
      config: value(4),
      planned_private: bytes(5),
    },
    response: { new_state: value(1), private: bytes(2), diagnostics: diagnostics(3) },
  },
  ImportResourceState: {
    request: { type_name: string(1), id: string(2) },
    response: {
      imported_resources: list(1, { type_name: string(1), state: value(2), private: bytes(3) }),
      diagnostics: diagnostics(2),
    },
  },
  MoveResourceState: {
    request: {
      source_provider_address: string(1),
      source_type_name: string(2),
      source_schema_version: uint(3),
      source_state: one(4, rawState),
      target_type_name: string(5),
      source_private: bytes(6),
    },
    response: { target_state: value(1), diagnostics: diagnostics(2), target_private: bytes(3) },
  },
  ReadDataSource: {
    request: { type_name: string(1), config: value(2) },
    response: { state: value(1), diagnostics: diagnostics(2) },
  },
  ValidateEphemeralResourceConfig: {
    request: { type_name: string(1), config: value(2) },
    response: { diagnostics: diagnostics(1) },
  },
  OpenEphemeralResource: {
    request: { type_name: string(1), config: value(2) },
    response: { diagnostics: diagnostics(1), result: value(3) },
  },
  CloseEphemeralResource: {
    request: { type_name: string(1) },
    response: { diagnostics: diagnostics(1) },
  },
  StopProvider: { request: {}, response: { error: string(1) } },
};
