import { accessLimits } from '../../limits/access.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { objectOf, optional, wholeNumber } from '../../resources/declaration/field.ts';
import { integration } from '../../resources/integration.ts';
import { readBody } from '../people/writing.ts';
import { changeOf, readOne, unwrap, type WriteParts } from '../records/write.ts';
import { ok, type Route } from '../route.ts';

const rotation = objectOf({
  grace_minutes: optional(
    wholeNumber({
      doc: `The number of minutes for which the previous token is still accepted. With 0, it is rejected once no server has it cached, within ${memoryLimits.tokensTime / 1_000} seconds. Default: ${accessLimits.tokenGraceMinutes}.`,
      min: 0,
      max: accessLimits.tokenGraceMinutesMax,
    }),
  ),
});

export const rotateTokenRoute = ({ records, render }: WriteParts): Route => ({
  method: 'POST',
  path: `/${integration.route}/:id/rotate-token`,
  tag: integration.table,
  role: 'manager',
  doc: 'Gives an integration a new token and new addresses.',
  body: rotation,
  bodyMayBeAbsent: true,
  takesVersion: true,
  answers: { status: 200, schema: integration.output },
  async handle(call) {
    const { grace_minutes = accessLimits.tokenGraceMinutes } = readBody(rotation, call.body);
    const previousExpiresAt = call.now.add({ minutes: Number(grace_minutes) });
    const record = unwrap(await records.rotateToken(changeOf(call), previousExpiresAt));
    return ok(render(integration, record, call.caller));
  },
  again: async (call) =>
    ok(render(integration, await readOne(records, integration, call), call.caller)),
});
