// The provider's own settings: from the configuration, else from the environment.
import type { Certificates } from '../client/node.ts';
import { type HttpProxy, knowsProxies, proxyFor } from '../client/proxy.ts';
import type { Budget } from '../client/retry.ts';
import { isWorkspace, type ManagedBy, workspaceForm } from '../resources/declaration/managed-by.ts';
import { type CertificateFiles, readCertificates } from './certificates.ts';
import { fieldOf } from './convert.ts';
import { type Diagnostic, errorDiagnostic, type Wrong, wrong } from './diagnostics.ts';
import type { Detail } from './effects/report.ts';
import { Unknown, type Value } from './protocol/value.ts';
import type { Attribute } from './schema.ts';

export type Configuration = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly teamId: string | null;
  readonly managedBy: ManagedBy;
  readonly effects: Detail;
  readonly budget: Budget;
  readonly proxy: HttpProxy | null;
  readonly certificates: Certificates;
};

type Setting = 'api_key' | 'base_url' | 'team_id' | 'workspace';

const variables: Readonly<Record<Setting, string>> = {
  api_key: 'PAGER_API_KEY',
  base_url: 'PAGER_BASE_URL',
  team_id: 'PAGER_TEAM_ID',
  workspace: 'PAGER_WORKSPACE',
};

/** Where a server listens by default. */
const defaultBaseUrl = 'http://localhost:8080/api/v1';

const attribute = (name: Setting, description: string, isSensitive = false): Attribute => ({
  name,
  description: `${description} If not set, \`${variables[name]}\` from the environment.`,
  set: 'optional',
  isSensitive,
  shape: { type: 'string' },
});

/** Enough for a server that restarts for a minute, whatever luck does to the waits. */
const budgets = {
  max_retries: { least: 0, most: 1_000, byDefault: 20 },
  timeout: { least: 1, most: 86_400, byDefault: 120 },
} as const;
type BudgetName = keyof typeof budgets;
const budgetNames = ['max_retries', 'timeout'] as const;

const budgetAttribute = (name: BudgetName, description: string): Attribute => {
  const { least, most, byDefault } = budgets[name];
  return {
    name,
    description: `${description} Default: \`${byDefault}\`.`,
    limits: `${least} to ${most}`,
    set: 'optional',
    isSensitive: false,
    shape: { type: 'number' },
  };
};

const details: readonly Detail[] = ['summary', 'all'];

const fileNames = ['ca_cert_file', 'client_cert_file', 'client_key_file'] as const;

const fileAttribute = (name: keyof CertificateFiles, description: string): Attribute => ({
  name,
  description,
  set: 'optional',
  isSensitive: false,
  shape: { type: 'string' },
});

export const configurationAttributes: readonly Attribute[] = [
  attribute('api_key', 'An API key of the organization.', true),
  attribute('base_url', `The base URL of the API. Default: \`${defaultBaseUrl}\`.`),
  attribute('team_id', 'The team of records without a `team_id`.'),
  {
    ...attribute(
      'workspace',
      'The workspace name in the records’ `managed_by`. Set it to `terraform.workspace`.',
    ),
    limits: workspaceForm,
  },
  budgetAttribute(
    'max_retries',
    'The maximum number of retries for a request that got no response or a temporary error (408, 429, 5xx).',
  ),
  budgetAttribute(
    'timeout',
    'The maximum time for a request in seconds, including all retries and the waits between them.',
  ),
  {
    name: 'effects',
    description:
      'How much a plan shows of its effects on people: all of them, or a summary with the most serious ones in detail. Default: `summary`.',
    limits: details.map((detail) => `\`${detail}\``).join(' or '),
    set: 'optional',
    isSensitive: false,
    shape: { type: 'string' },
  },
  fileAttribute(
    'ca_cert_file',
    'A PEM file with certificates of additional authorities to trust. The file in the environment’s `SSL_CERT_FILE` is trusted too.',
  ),
  fileAttribute('client_cert_file', 'A PEM file with the client certificate.'),
  fileAttribute(
    'client_key_file',
    'A PEM file with the unencrypted private key of the client certificate.',
  ),
];

/** What is wrong with the settings as far as they are known; any may still be missing. */
export function configurationProblems(config: Value, environment: NodeJS.ProcessEnv): Diagnostic[] {
  const { baseUrl, teamId, workspace } = settingsOf(config, environment);
  const problems: Diagnostic[] = [];
  if (typeof baseUrl === 'string' && !isWebAddress(baseUrl))
    problems.push(invalid('base_url', `Set an http or https address, such as ${defaultBaseUrl}.`));
  if (typeof teamId === 'string' && !/^[0-9a-f]{24}$/.test(teamId))
    problems.push(invalid('team_id', 'Set the id of a team: 24 lowercase hex characters.'));
  if (typeof workspace === 'string' && !isWorkspace(workspace))
    problems.push(invalid('workspace', `Set the name of a workspace: ${workspaceForm}.`));
  const effects = fieldOf(config, 'effects');
  if (typeof effects === 'string' && detailOf(effects) === undefined)
    problems.push(invalid('effects', `Set ${details.join(' or ')}.`));
  for (const name of budgetNames) {
    const { least, most } = budgets[name];
    const value = budgetOf(name, config);
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (!(value instanceof Unknown) && !(isWhole && value >= least && value <= most))
      problems.push(invalid(name, `Set a whole number from ${least} to ${most}.`));
  }
  return problems;
}

const detailOf = (text: Value) => details.find((detail) => detail === text);

const isWebAddress = (text: string) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text);

type Reading =
  | { readonly type: 'configured'; readonly configuration: Configuration }
  /** A setting comes from something that is yet to be applied. */
  | { readonly type: 'unknown' }
  | Wrong;

export function readConfiguration(config: Value, environment: NodeJS.ProcessEnv): Reading {
  const problems = configurationProblems(config, environment);
  const { apiKey, baseUrl, teamId, workspace } = settingsOf(config, environment);
  if (!apiKey)
    problems.push(invalid('api_key', `Set it, or ${variables.api_key} in the environment.`));
  else if (typeof apiKey === 'string' && !/^[\x21-\x7e]+$/.test(apiKey))
    problems.push(
      invalid(
        'api_key',
        'It contains characters that are not allowed in a key, such as a line break at the end.',
      ),
    );
  if (problems.length > 0) return { type: 'wrong', diagnostics: problems };
  const [retriesMax, seconds] = budgetNames.map((name) => budgetOf(name, config));
  const isKnown = typeof apiKey === 'string' && typeof baseUrl === 'string';
  const isLimited = typeof retriesMax === 'number' && typeof seconds === 'number';
  if (!isKnown || !isLimited || teamId instanceof Unknown || workspace instanceof Unknown)
    return { type: 'unknown' };
  const [ca_cert_file, client_cert_file, client_key_file] = fileNames.map((name) =>
    fieldOf(config, name),
  );
  if ([ca_cert_file, client_cert_file, client_key_file].some((file) => file instanceof Unknown))
    return { type: 'unknown' };
  const files = { ca_cert_file, client_cert_file, client_key_file } as CertificateFiles;
  // Without TLS, the environment's file may be missing.
  const isPlain = baseUrl.startsWith('http:');
  const certificates = readCertificates(files, isPlain ? {} : environment);
  if ('type' in certificates) return certificates;
  const proxy = proxyOf(baseUrl, environment);
  if (proxy !== null && 'type' in proxy) return proxy;
  const budget = { retriesMax, totalMs: seconds * 1_000 };
  const managedBy = { tool: 'terraform', ...(workspace !== null && { workspace }) } as const;
  // How much is shown may become known later than what is planned.
  const effects = detailOf(fieldOf(config, 'effects')) ?? 'summary';
  const addressed = { apiKey, baseUrl, teamId, managedBy, effects };
  return { type: 'configured', configuration: { ...addressed, budget, proxy, certificates } };
}

function proxyOf(baseUrl: string, environment: NodeJS.ProcessEnv): HttpProxy | Wrong | null {
  const proxy = proxyFor(new URL(baseUrl), environment);
  if (typeof proxy === 'string')
    return wrong(errorDiagnostic({ summary: 'Invalid proxy', detail: proxy }));
  if (proxy === null || knowsProxies(process.versions)) return proxy;
  const detail = `${proxy.variable} sets the proxy ${proxy.address}, but Node ${process.version} does not support proxies. Run the provider with Node 22.21, 24.5 or later, or use the executable from a release. If the API is reachable without the proxy, add its host to NO_PROXY.`;
  return wrong(errorDiagnostic({ summary: 'This Node cannot use the proxy', detail }));
}

const invalid = (path: Setting | BudgetName | 'effects', detail: string) =>
  errorDiagnostic({ summary: `Invalid ${path}`, detail, path });

function settingsOf(config: Value, environment: NodeJS.ProcessEnv) {
  const of = (name: Setting) => settingOf(name, config, environment);
  return {
    apiKey: of('api_key'),
    baseUrl: of('base_url'),
    teamId: of('team_id'),
    workspace: of('workspace'),
  };
}

function settingOf(name: Setting, config: Value, environment: NodeJS.ProcessEnv) {
  const configured = new Map(Object.entries(config ?? {})).get(name);
  if (typeof configured === 'string' || configured instanceof Unknown) return configured;
  return environment[variables[name]] || (name === 'base_url' ? defaultBaseUrl : null);
}

const budgetOf = (name: BudgetName, config: Value): Value =>
  fieldOf(config, name) ?? budgets[name].byDefault;
