// The real Terraform with the real provider for a real server, which a proxy stands before.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Existing } from '../any-fields.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import type { Settings } from '../system/server-process.ts';
import { startProxy } from './proxy.ts';
import { nodeFolders, type ProviderProcess, Workspace } from './terraform.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** As in a file of Terraform's JSON: by type and name. */
export type Resources = Readonly<Record<string, Readonly<Record<string, Fields>>>>;

/** What a plan does to one resource. */
export type Change = {
  readonly address: string;
  /** `update`, or `delete create` for one that is replaced. */
  readonly actions: string;
  readonly isImport: boolean;
  /** The attributes that will be others. */
  readonly attributes: readonly string[];
};

export type RunningTerraform = Awaited<ReturnType<typeof startTerraform>>;

export async function startTerraform(
  settings: Settings = {},
  ofTerraform: Settings = {},
  provider: ProviderProcess = 'attached',
) {
  const stack = new AsyncDisposableStack();
  const server: InProcess = stack.use(await startInProcess(await anyDatabase(), settings));
  const proxy = stack.use(await startProxy(`${server.url}/api/v1`));
  // The oldest: what runs there runs on the others.
  const node = nodeFolders.at(-1) ?? '';
  const addressed = { PAGER_API_KEY: inProcessKey, PAGER_BASE_URL: proxy.address };
  const environment = { ...addressed, ...ofTerraform };
  const workspace = stack.use(await Workspace.open(node, environment, provider));
  const inFolder = (name: string) => join(workspace.folder, name);

  async function succeeds(...args: readonly string[]): Promise<string> {
    const { code, output, errors } = await workspace.run(...args);
    assert.equal(code, 0, `terraform ${args.join(' ')}:\n${errors.slice(0, 6_000)}`);
    return output;
  }

  return {
    server,
    proxy,
    workspace,
    succeeds,
    /** With a text that matches, however it is broken into lines. */
    async fails(pattern: RegExp, ...args: readonly string[]): Promise<void> {
      const { code, errors } = await workspace.run(...args);
      assert.equal(code, 1, errors);
      assert.match(errors.replace(/[\s│╷╵]+/g, ' '), pattern);
    },

    /** Texts may have expressions: see `literal`. */
    configure: (configuration: Fields) =>
      writeFile(inFolder('main.tf.json'), JSON.stringify(configuration, null, 1)),

    apply: (...args: readonly string[]) =>
      succeeds('apply', '-auto-approve', '-input=false', ...args),

    /** All that is not as it should be; empty when nothing is to be done. */
    async changes(...args: readonly string[]): Promise<readonly Change[]> {
      const planArgs = ['plan', '-detailed-exitcode', '-input=false', '-out=planned', ...args];
      const { code, errors } = await workspace.run(...planArgs);
      assert.ok(code === 0 || code === 2, `terraform plan:\n${errors.slice(0, 6_000)}`);
      if (code === 0) return [];
      const plan = JSON.parse(await succeeds('show', '-json', 'planned'));
      return plan.resource_changes.map(changeOf).filter(isOne);
    },

    /** Terraform knows nothing of what it made. */
    forget: () => rm(inFolder('terraform.tfstate'), { force: true }),

    /** What the state has of each resource, by its address. */
    async state(): Promise<ReadonlyMap<string, Fields>> {
      const { values } = JSON.parse(await succeeds('show', '-json'));
      const all: readonly Stated[] = values?.root_module.resources ?? [];
      return new Map(all.map(({ address, values }) => [address, values]));
    },

    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type Stated = { readonly address: string; readonly values: Fields };
type Planned = {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Fields | null;
    readonly after: Fields | null;
    readonly after_unknown: Fields;
    readonly importing?: object;
  };
};

function changeOf({ address, change }: Planned): Change {
  const { actions, before, after, after_unknown: unknown, importing } = change;
  const names = Object.keys({ ...before, ...after, ...unknown });
  const isOther = (name: string) =>
    JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null) ||
    /true/.test(JSON.stringify(unknown[name] ?? false));
  return {
    address,
    actions: actions.join(' '),
    isImport: importing !== undefined,
    attributes: names.filter(isOther).sort(),
  };
}

const isOne = ({ actions, isImport }: Change) =>
  isImport || (actions !== 'no-op' && actions !== 'read');

/** A value with none of Terraform's expressions in it. */
export function literal<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replace(/[$%](?=\{)/g, '$&$&'));
}

/** Two of each kind that a record may point to, in the default team. */
export async function existingIn({ server: { api } }: Pick<RunningTerraform, 'server'>) {
  const [team] = await api.list('teams');
  const two = async (kind: string, fields: Fields): Promise<readonly [string, string]> => {
    const make = async (name: string): Promise<string> =>
      (await api.create(kind, { ...fields, name, team_id: team.id })).id;
    return [await make('one'), await make('two')];
  };
  const [{ id: user_id }] = await api.list('users');
  const person = {
    first_name: 'Ada',
    last_name: 'L',
    email: 'ada@example.test',
    role: 'responder',
  };
  const user = [user_id, (await api.create('users', person)).id];
  const service = await two('services', {});
  const steps = [{ targets: [{ via: 'email', user_id }] }];
  const policy = await two('escalation-policies', { steps });
  const sent = { slug: 'webhook', service_id: service[0], escalation_policy_id: policy[0] };
  const layers = [{ users: [user_id], rotation: { length: 1, unit: 'weeks' } }];
  return {
    user,
    service,
    escalation_policy: policy,
    team: [team.id],
    integration: await two('integrations', sent),
    playbook: await two('playbooks', { actions: [{ type: 'acknowledgeIncident' }] }),
    outbound_webhook: await two('outbound-webhooks', { url: 'https://w.test' }),
    oncall_schedule: await two('on-calls', { layers }),
  } satisfies Existing;
}
