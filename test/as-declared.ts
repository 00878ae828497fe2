import { Ajv2020 } from 'ajv/dist/2020.js';
import { Csv } from '../src/api/http/csv.ts';
import type { Route } from '../src/api/route.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/** The same routes; an answer that is not as its route declares it fails whoever asked. */
export const asDeclared = (routes: readonly Route[]): Route[] => routes.map(checked);

function checked(route: Route): Route {
  const { status, schema, isAlsoCsv } = route.answers;
  return {
    ...route,
    async handle(call) {
      const answer = await route.handle(call);
      const isHeld = answer.status === status;
      if (isAlsoCsv && answer.body instanceof Csv) return answer;
      if (!isHeld || ajv.validate(schema, JSON.parse(JSON.stringify(answer.body)))) return answer;
      throw new Error(`${route.method} ${route.path} answered otherwise: ${ajv.errorsText()}`);
    },
  };
}
