// The provider: answers Terraform's calls, for all records by their declarations.
import { resources } from '../resources/index.ts';
import {
  type Configuration,
  configurationAttributes,
  configurationProblems,
  readConfiguration,
} from './configuration.ts';
import { errorDiagnostic } from './diagnostics.ts';
import type { Handlers } from './protocol/grpc.ts';
import type { dynamicValue, providerService } from './protocol/messages.ts';
import type { Message } from './protocol/protobuf.ts';
import { decodeJson, decodeValue, type Type, type Value } from './protocol/value.ts';
import { objectType, resourceAttributes, schemaMessage } from './schema.ts';

const capabilities = {
  plan_destroy: true,
  get_provider_schema_optional: true,
  move_resource_state: true,
};

/** What one process of the provider knows: Terraform configures it once. */
type Session = {
  configuration: Configuration | null;
  /** Ends work in progress when Terraform is interrupted. */
  readonly stopping: AbortController;
};

export function createProvider(environment: NodeJS.ProcessEnv): Handlers<typeof providerService> {
  const session: Session = { configuration: null, stopping: new AbortController() };
  const configType = objectType(configurationAttributes);

  return {
    GetMetadata: () => ({
      server_capabilities: capabilities,
      resources: resources.map(({ name }) => ({ type_name: `pager_${name}` })),
    }),

    GetProviderSchema: () => ({
      server_capabilities: capabilities,
      provider: schemaMessage('Incident alerting by Pager.', configurationAttributes),
      resource_schemas: Object.fromEntries(
        resources.map((resource) => [
          `pager_${resource.name}`,
          schemaMessage(resource.doc, resourceAttributes(resource)),
        ]),
      ),
    }),

    ValidateProviderConfig: ({ config }) => ({
      diagnostics: configurationProblems(received(configType, config), environment),
    }),

    ConfigureProvider({ config }) {
      const reading = readConfiguration(received(configType, config), environment);
      session.configuration = reading.type === 'configured' ? reading.configuration : null;
      return { diagnostics: reading.type === 'wrong' ? reading.diagnostics : [] };
    },

    ValidateResourceConfig: notYet,
    ValidateDataResourceConfig: notYet,
    UpgradeResourceState: notYet,
    ReadResource: notYet,
    PlanResourceChange: notYet,
    ApplyResourceChange: notYet,
    ImportResourceState: notYet,
    MoveResourceState: notYet,
    ReadDataSource: notYet,

    StopProvider() {
      session.stopping.abort();
      return {};
    },
  };
}

function received(type: Type, sent: Message<typeof dynamicValue> | undefined): Value {
  if (sent === undefined) return null;
  return sent.json.length > 0
    ? decodeJson(type, Buffer.from(sent.json).toString())
    : decodeValue(type, sent.msgpack);
}

const notYet = () => ({
  diagnostics: [
    errorDiagnostic({ summary: 'Not implemented', detail: 'This provider cannot do that yet.' }),
  ],
});
