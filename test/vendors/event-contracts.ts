// What programs that send to PagerDuty, Opsgenie and Alertmanager expect of the answers.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { parse } from 'yaml';
import { published } from '../published.ts';
import { exactly, problemsIn, problemWith, text } from './contract.ts';

type Contract = {
  readonly own: TSchema;
  /** The file that the service publishes, and where the same stands in it. */
  readonly file: string;
  readonly at: string;
};

const success = Type.Literal('success');
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' });
/** In seconds. */
const took = Type.Number({ minimum: 0 });

const contracts = {
  // https://developer.pagerduty.com/docs/events-api-v2-overview: a change event has no key.
  'PagerDuty v2 success': {
    own: exactly({ status: success, message: text(), dedup_key: Type.Optional(text(255)) }),
    file: 'pagerduty/events-v2.openapiv3.json',
    at: '/components/responses/Success/content/application~1json/schema',
  },
  // The same page; clients of the REST API read the error by https://developer.pagerduty.com/docs/errors.
  'PagerDuty v2 error': {
    own: exactly({
      status: text(),
      message: text(),
      errors: Type.Array(text(), { minItems: 1 }),
      error: exactly({ code: Type.Integer(), message: text(), errors: Type.Array(text()) }),
    }),
    file: 'pagerduty/events-v2.openapiv3.json',
    at: '/components/responses/Error/content/application~1json/schema',
  },
  // https://developer.pagerduty.com/docs/events-api-v1-overview
  'PagerDuty v1 success': {
    own: exactly({ status: success, message: text(), incident_key: text(255) }),
    file: 'pagerduty/events-v1.openapiv3.json',
    at: '/components/responses/Success/content/application~1json/schema',
  },
  // https://docs.opsgenie.com/docs/alert-api#create-alert: it is processed later, by the id of its request.
  'Opsgenie success': {
    own: exactly({ result: text(), took, requestId: uuid }),
    file: 'opsgenie/swagger.json',
    at: '/definitions/SuccessResponse',
  },
  // https://docs.opsgenie.com/docs/response
  'Opsgenie error': {
    own: exactly({ message: text(), took, requestId: uuid }),
    file: 'opsgenie/swagger.json',
    at: '/definitions/ErrorResponse',
  },
  // https://docs.opsgenie.com/docs/alert-api#get-request-status
  'Opsgenie request': {
    own: exactly({
      data: exactly({
        success: Type.Boolean(),
        action: text(),
        processedAt: instant,
        integrationId: text(),
        isSuccess: Type.Boolean(),
        status: text(),
        alertId: uuid,
        alias: text(512),
      }),
      took,
      requestId: uuid,
    }),
    file: 'opsgenie/swagger.json',
    at: '/definitions/GetRequestStatusResponse',
  },
  // https://docs.opsgenie.com/docs/alert-api#get-alert
  'Opsgenie alert': {
    own: exactly({
      data: exactly({
        id: uuid,
        tinyId: Type.String({ pattern: '^\\d+$' }),
        alias: text(512),
        status: Type.Enum(['open', 'closed']),
        acknowledged: Type.Boolean(),
        count: Type.Integer({ minimum: 1 }),
        createdAt: instant,
        updatedAt: instant,
      }),
      took,
      requestId: uuid,
    }),
    file: 'opsgenie/swagger.json',
    at: '/definitions/GetAlertResponse',
  },
  // https://prometheus.io/docs/alerting/latest/clients and the API v2 of Alertmanager that it names:
  // amtool reads the version, and needs every field.
  'Alertmanager status': {
    own: exactly({
      cluster: exactly({
        status: Type.Enum(['ready', 'settling', 'disabled']),
        peers: Type.Array(Type.Any()),
      }),
      config: exactly({ original: Type.String() }),
      uptime: instant,
      versionInfo: exactly({
        version: text(),
        revision: Type.String(),
        branch: Type.String(),
        buildUser: Type.String(),
        buildDate: Type.String(),
        goVersion: Type.String(),
      }),
    }),
    file: 'alertmanager/openapi.yaml',
    at: '/definitions/alertmanagerStatus',
  },
  // Nobody may list alerts with a key that sends them, so the list is empty.
  'Alertmanager alerts': {
    own: Type.Array(Type.Any(), { maxItems: 0 }),
    file: 'alertmanager/openapi.yaml',
    at: '/definitions/gettableAlerts',
  },
  'Alertmanager refusal': {
    own: text(),
    file: 'alertmanager/openapi.yaml',
    at: '/responses/BadRequest/schema',
  },
} as const satisfies Readonly<Record<string, Contract>>;

/** What is wrong with an answer, if anything. */
export function answerProblem(name: keyof typeof contracts, answer: unknown): string | undefined {
  const { own, file, at } = contracts[name];
  return (
    problemWith(name, own, answer) ?? publishedProblem(published(`contracts/${file}`), at, answer)
  );
}

function publishedProblem(file: URL | null, at: string, answer: unknown): string | undefined {
  if (file === null) return undefined;
  const ajv = ajvs.get(file.href) ?? ajvOf(file);
  ajvs.set(file.href, ajv);
  const $ref = `contract#${at}`;
  const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
  return validate(answer) ? undefined : problemsIn(validate.errors);
}

/** By file, some of which take long to read. */
const ajvs = new Map<string, Ajv>();

function ajvOf(file: URL): Ajv {
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  // JSON is YAML too.
  return ajv.addSchema(parse(readFileSync(file, 'utf8')), 'contract');
}
