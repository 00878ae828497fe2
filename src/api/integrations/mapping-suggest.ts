// POST /integrations/:id/mapping/suggest: a mapping from an event that fired and one that recovered.
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { integration } from '../../resources/integration.ts';
import { mappingInput } from '../../resources/integration-mapping.ts';
import { eventsToTry } from '../../storage/incidents/events.ts';
import { taskRequester } from '../computing/computer.ts';
import { partOf } from '../events/stored-events.ts';
import { invalid } from '../failures.ts';
import { route } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { integrationOf, type MappingParts } from './mapping-parts.ts';

const suggestInput = objectOf({
  firing: id('An event that reports a problem.'),
  recovered: id('The event that reports the end of the same problem.'),
});

type Pair = { readonly firing: string; readonly recovered: string };

export const suggestRoute = (parts: MappingParts): Route =>
  route('POST /integrations/:id/mapping/suggest', 'manager', {
    tag: integration.table,
    doc: 'Proposes a mapping from two events of an integration. Nothing is saved.',
    writesNothing: true,
    computes: 'mappingSuggestion',
    body: suggestInput,
    answers: { status: 200, schema: mappingInput },
    async handle(call) {
      const { sql } = parts;
      const sent = readObject(suggestInput, call.body);
      if (!sent.ok) throw invalid(sent.problems);
      // The reader has held it to the schema.
      const { firing, recovered } = sent.value as Pair;
      const one = await integrationOf(sql, call);
      const of = { organizationId: call.caller.organizationId, integrationId: one.id };
      const events = await eventsToTry(
        sql,
        { ...of, ids: [firing, recovered] },
        eventsLimits.mappingTriedBytes,
      );
      const eventOf = (path: keyof Pair, id: string): StoredEvent => {
        const event = events.find((each) => each.id === id);
        const part = event && partOf(event);
        if (part != null) throw invalid([{ path, message: `cannot be used: ${part}` }]);
        if (event !== undefined) return event;
        throw invalid([{ path, message: 'does not match any stored event of this integration' }]);
      };
      const pair = {
        firing: eventOf('firing', firing),
        recovered: eventOf('recovered', recovered),
      };
      return ok(await parts.compute(taskRequester(call), 'mappingSuggestion', pair));
    },
  });
