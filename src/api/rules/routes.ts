// A rule tried on an event: what would happen, and why. Nothing is sent, nothing is kept.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Sql } from '../../storage/database.ts';
import { Answering } from '../../workers/answering.ts';
import { type Compute, JsonText, waiting } from '../computing/computer.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { readAsked, testBody } from './asked.ts';
import { foundOf } from './event.ts';
import { nameAnswers } from './names.ts';
import { savedRule } from './rule.ts';
import { testedShape } from './shapes.ts';
import type { Testing } from './tested.ts';

type Parts = { readonly sql: Sql; readonly compute: Compute };

export function ruleTestRoutes(parts: Parts): Route[] {
  return [
    route('POST /alert-rules/test', 'manager', {
      tag: alertRoutingRule.table,
      doc: 'Tries a rule, saved or not, on an event: what held, why, and what it would do.',
      writesNothing: true,
      body: testBody,
      answers: { status: 200, schema: testedShape },
      async handle(call) {
        const testing = await testingOf(parts.sql, call);
        const { organizationId } = call.caller;
        using answering = new Answering(nameAnswers(parts.sql, organizationId));
        const input = answering.withPort(testing);
        const computed = parts.compute(waiting(call), 'ruleTest', input);
        return ok(new JsonText(await answering.during(computed)));
      },
    }),
  ];
}

async function testingOf(sql: Sql, call: Call): Promise<Omit<Testing, 'port'>> {
  const asked = readAsked(call);
  const { rule, rule_id, repeat_count, suppressed_count } = asked;
  const found = await foundOf(sql, call, asked);
  const tried =
    rule_id === undefined
      ? { said: JSON.stringify(rule) }
      : await savedRule(sql, call.caller, rule_id);
  const counts = {
    ...(repeat_count !== undefined && { repeat_count }),
    ...(suppressed_count !== undefined && { suppressed_count }),
  };
  return { found, tried, reader: { teamIds: call.caller.teamIds }, counts };
}
