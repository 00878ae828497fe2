// What PagerDuty, Opsgenie and Alertmanager publish of their answers, as JSON schemas outside of this repository.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { skipped } from '../skipped.ts';

const folder = new URL('../../../shared/contracts/', import.meta.url);

/** The reason why answers are not held to the contracts, if they are not. */
export const skipEventContracts = existsSync(folder)
  ? false
  : skipped('answers in the form of other services', 'put ../shared beside');

// JSON is YAML too.
const read = (file: string) => parse(readFileSync(new URL(file, folder), 'utf8'));

type Contract = { readonly file: string; readonly at: string };

const contracts = {
  'PagerDuty v2 success': {
    file: 'pagerduty/events-v2.openapiv3.json',
    at: '/components/responses/Success/content/application~1json/schema',
  },
  'PagerDuty v2 error': {
    file: 'pagerduty/events-v2.openapiv3.json',
    at: '/components/responses/Error/content/application~1json/schema',
  },
  'PagerDuty v1 success': {
    file: 'pagerduty/events-v1.openapiv3.json',
    at: '/components/responses/Success/content/application~1json/schema',
  },
  'Opsgenie success': { file: 'opsgenie/swagger.json', at: '/definitions/SuccessResponse' },
  'Opsgenie error': { file: 'opsgenie/swagger.json', at: '/definitions/ErrorResponse' },
  'Opsgenie request': {
    file: 'opsgenie/swagger.json',
    at: '/definitions/GetRequestStatusResponse',
  },
  'Opsgenie alert': { file: 'opsgenie/swagger.json', at: '/definitions/GetAlertResponse' },
  'Alertmanager status': {
    file: 'alertmanager/openapi.yaml',
    at: '/definitions/alertmanagerStatus',
  },
  'Alertmanager alerts': { file: 'alertmanager/openapi.yaml', at: '/definitions/gettableAlerts' },
  'Alertmanager refusal': { file: 'alertmanager/openapi.yaml', at: '/responses/BadRequest/schema' },
} as const satisfies Readonly<Record<string, Contract>>;

/** What is wrong with an answer, if anything. */
export function answerProblem(name: keyof typeof contracts, answer: unknown): string | undefined {
  const { file, at } = contracts[name];
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  ajv.addSchema(read(file), 'contract');
  const validate = ajv.compile({ $ref: `contract#${at}` });
  return validate(answer) ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`;
}
