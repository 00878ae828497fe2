// The provider's own settings: from the configuration, else from the environment.
import type { Budget } from '../client/retry.ts';
import { fieldOf } from './convert.ts';
import { type Diagnostic, errorDiagnostic } from './diagnostics.ts';
import { Unknown, type Value } from './protocol/value.ts';
import type { Attribute } from './schema.ts';

export type Configuration = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly teamId: string | null;
  readonly budget: Budget;
};

type Setting = 'api_key' | 'base_url' | 'team_id';

const variables: Readonly<Record<Setting, string>> = {
  api_key: 'PAGER_API_KEY',
  base_url: 'PAGER_BASE_URL',
  team_id: 'PAGER_TEAM_ID',
};

/** Where a server listens by default. */
const defaultBaseUrl = 'http://localhost:8080/api/v1';

const attribute = (name: Setting, description: string, isSensitive = false): Attribute => ({
  name,
  description: `${description} Else the environment’s \`${variables[name]}\`.`,
  ...{ set: 'optional', isSensitive, shape: { type: 'string' } },
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
    description: `${description} Default \`${byDefault}\`.`,
    limits: `${least} to ${most}`,
    ...{ set: 'optional', isSensitive: false, shape: { type: 'number' } },
  };
};

export const configurationAttributes: readonly Attribute[] = [
  attribute('api_key', 'An API key of the organisation.', true),
  attribute('base_url', `Where the API is; \`${defaultBaseUrl}\` when nothing says.`),
  attribute('team_id', 'The team of records that name none.'),
  budgetAttribute(
    'max_retries',
    'How many times a request is tried again that got no answer, or an answer that may pass (408, 429, 5xx).',
  ),
  budgetAttribute('timeout', 'For how many seconds at most, with the waits between the tries.'),
];

/** What is wrong with the settings as far as they are known; any may still be missing. */
export function configurationProblems(config: Value, environment: NodeJS.ProcessEnv): Diagnostic[] {
  const baseUrl = settingOf('base_url', config, environment);
  const teamId = settingOf('team_id', config, environment);
  const problems: Diagnostic[] = [];
  if (typeof baseUrl === 'string' && !isWebAddress(baseUrl))
    problems.push(invalid('base_url', `Set an http or https address, such as ${defaultBaseUrl}.`));
  if (typeof teamId === 'string' && !/^[0-9a-f]{24}$/.test(teamId))
    problems.push(invalid('team_id', 'Set the id of a team: 24 lowercase hex characters.'));
  for (const name of budgetNames) {
    const { least, most } = budgets[name];
    const value = budgetOf(name, config);
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (!(value instanceof Unknown) && !(isWhole && value >= least && value <= most))
      problems.push(invalid(name, `Set a whole number from ${least} to ${most}.`));
  }
  return problems;
}

const isWebAddress = (text: string) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text);

type Reading =
  | { readonly type: 'configured'; readonly configuration: Configuration }
  /** A setting comes from something that is yet to be applied. */
  | { readonly type: 'unknown' }
  | { readonly type: 'wrong'; readonly diagnostics: readonly Diagnostic[] };

export function readConfiguration(config: Value, environment: NodeJS.ProcessEnv): Reading {
  const problems = configurationProblems(config, environment);
  const apiKey = settingOf('api_key', config, environment);
  const baseUrl = settingOf('base_url', config, environment);
  const teamId = settingOf('team_id', config, environment);
  if (!apiKey)
    problems.push(invalid('api_key', `Set it, or ${variables.api_key} in the environment.`));
  else if (typeof apiKey === 'string' && !/^[\x21-\x7e]+$/.test(apiKey))
    problems.push(
      invalid('api_key', 'It has characters that no key has, such as a line break at its end.'),
    );
  if (problems.length > 0) return { type: 'wrong', diagnostics: problems };
  const [retriesMax, seconds] = budgetNames.map((name) => budgetOf(name, config));
  const isKnown = typeof apiKey === 'string' && typeof baseUrl === 'string';
  const isLimited = typeof retriesMax === 'number' && typeof seconds === 'number';
  if (!isKnown || !isLimited || teamId instanceof Unknown) return { type: 'unknown' };
  const budget = { retriesMax, totalMs: seconds * 1_000 };
  return { type: 'configured', configuration: { apiKey, baseUrl, teamId, budget } };
}

const invalid = (path: Setting | BudgetName, detail: string) =>
  errorDiagnostic({ summary: `Invalid ${path}`, detail, path });

function settingOf(name: Setting, config: Value, environment: NodeJS.ProcessEnv) {
  const configured = new Map(Object.entries(config ?? {})).get(name);
  if (typeof configured === 'string' || configured instanceof Unknown) return configured;
  return environment[variables[name]] || (name === 'base_url' ? defaultBaseUrl : null);
}

const budgetOf = (name: BudgetName, config: Value): Value =>
  fieldOf(config, name) ?? budgets[name].byDefault;
