// The provider: answers Terraform's calls, for all records by their declarations.
import { applyResource } from './calls/apply.ts';
import { received } from './calls/dynamic-value.ts';
import { importResource } from './calls/import.ts';
import { planResource } from './calls/plan.ts';
import { readResource } from './calls/read.ts';
import { moveState, upgradeState } from './calls/upgrade.ts';
import { type LoadExpressions, validateResource } from './calls/validate.ts';
import {
  configurationAttributes,
  configurationProblems,
  readConfiguration,
} from './configuration.ts';
import { readDataSource, validateDataSource } from './data-sources/calls.ts';
import { dataSources } from './data-sources/index.ts';
import { type Detail, reportEffects } from './effects/report.ts';
import { type Delay, Waves } from './effects/waves.ts';
import { openEphemeral, validateEphemeral } from './ephemeral/calls.ts';
import { ephemeralResources } from './ephemeral/index.ts';
import { callFunction, functionMessages } from './functions/calls.ts';
import { providerFunctions } from './functions/index.ts';
import { managed as allManaged, type Managed } from './managed.ts';
import type { Handlers } from './protocol/grpc.ts';
import type { Log } from './protocol/log.ts';
import type { providerService } from './protocol/messages.ts';
import { objectType } from './schema.ts';
import { schemaMessage } from './schema-message.ts';
import { connect, type Report, type Session } from './session.ts';

const capabilities = {
  plan_destroy: true,
  get_provider_schema_optional: true,
  move_resource_state: true,
};

export type ProviderOptions = {
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
  readonly loadExpressions: LoadExpressions;
  readonly log: Log;
  /** The records that it manages. */
  readonly managed?: readonly Managed[];
  readonly now?: () => number;
  readonly delay?: Delay;
};

const delayed: Delay = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

export function createProvider(options: ProviderOptions): Handlers<typeof providerService> {
  const { environment, version, loadExpressions, log } = options;
  const { managed = allManaged, now = Date.now, delay = delayed } = options;
  const wavesOf = (detail: Detail) =>
    new Waves<Report>(
      (changes) =>
        changes.length === 0
          ? []
          : [(organization) => reportEffects(changes, { detail, organization })],
      delay,
    );
  const session: Session = { managed, now, connection: null, waves: wavesOf('summary') };
  const configType = objectType(configurationAttributes);

  /** A call of a walk over the configuration; some belong to a plan, or to an apply, alone. */
  const walks =
    <Request, Response>(handle: (request: Request) => Response, of?: 'plan' | 'apply') =>
    (request: Request): Promise<Awaited<Response>> => {
      const { waves } = session;
      if (of === 'plan') waves.plans();
      if (of === 'apply') waves.applies();
      return waves.during(() => handle(request));
    };

  return {
    GetMetadata: () => ({
      server_capabilities: capabilities,
      resources: managed.map(({ typeName }) => ({ type_name: typeName })),
      data_sources: dataSources.map(({ typeName }) => ({ type_name: typeName })),
      functions: providerFunctions.map(({ name }) => ({ name })),
      ephemeral_resources: ephemeralResources.map(({ typeName }) => ({ type_name: typeName })),
    }),

    GetProviderSchema: () => ({
      server_capabilities: capabilities,
      provider: schemaMessage('Incident alerting by Pager.', configurationAttributes),
      resource_schemas: Object.fromEntries(
        managed.map(({ typeName, resource, attributes }) => [
          typeName,
          schemaMessage(resource.doc, attributes),
        ]),
      ),
      data_source_schemas: Object.fromEntries(
        dataSources.map(({ typeName, doc, attributes }) => [
          typeName,
          schemaMessage(doc, attributes),
        ]),
      ),
      functions: functionMessages(),
      ephemeral_resource_schemas: Object.fromEntries(
        ephemeralResources.map(({ typeName, doc, attributes }) => [
          typeName,
          schemaMessage(doc, attributes),
        ]),
      ),
    }),

    GetFunctions: () => ({ functions: functionMessages() }),
    /** Also for `terraform validate`, of a provider that is not configured. */
    CallFunction: callFunction,

    ValidateProviderConfig: ({ config }) => ({
      diagnostics: configurationProblems(received(configType, config), environment),
    }),

    ConfigureProvider({ config, terraform_version }) {
      const reading = readConfiguration(received(configType, config), environment);
      const userAgent = `terraform-provider-pager/${version} terraform/${terraform_version}`;
      const configuration = reading.type === 'configured' ? reading.configuration : null;
      session.connection = configuration && connect(configuration, userAgent, log);
      session.waves = wavesOf(configuration?.effects ?? 'summary');
      return { diagnostics: reading.type === 'wrong' ? reading.diagnostics : [] };
    },

    ValidateResourceConfig: walks((request) =>
      validateResource({ ...session, loadExpressions }, request),
    ),
    ValidateDataResourceConfig: walks(validateDataSource),
    UpgradeResourceState: walks((request) => upgradeState(session, request)),
    MoveResourceState: walks((request) => moveState(session, request)),
    ImportResourceState: walks((request) => importResource(session, request), 'plan'),
    ReadResource: walks((request) => readResource(session, request), 'plan'),
    PlanResourceChange: walks((request) => planResource(session, request)),
    ApplyResourceChange: walks((request) => applyResource(session, request), 'apply'),
    ReadDataSource: walks((request) => readDataSource(session, request), 'plan'),
    ValidateEphemeralResourceConfig: walks(validateEphemeral),
    OpenEphemeralResource: walks((request) => openEphemeral(session, request)),
    /** A secret that was read has nothing to end, and nothing to renew. */
    CloseEphemeralResource: () => ({}),

    /** After a Ctrl-C: Terraform waits for what is under way, which ends now. */
    StopProvider() {
      session.waves.stop();
      session.connection?.client.close();
      return {};
    },
  };
}
