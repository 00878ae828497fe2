// A rule tried on an event: what would happen, and why. Nothing is sent, nothing is kept.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Sql } from '../../storage/database.ts';
import { lookUpIn } from '../../storage/records/uses.ts';
import { type Compute, JsonText, waiting } from '../computing/computer.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { readAsked, testBody } from './asked.ts';
import { namesIn } from './effect-says.ts';
import { foundOf } from './event.ts';
import { ruleOf } from './rule.ts';
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
        return ok(new JsonText(await parts.compute(waiting(call), 'ruleTest', testing)));
      },
    }),
  ];
}

async function testingOf(sql: Sql, call: Call): Promise<Testing> {
  const asked = readAsked(call);
  const found = await foundOf(sql, call, asked);
  const look = lookUpIn(sql, call.caller.organizationId);
  const { rule, teamId, warnings } = await ruleOf(sql, { call, asked, found, look });
  const names = await namesIn(rule.actions, call.caller, look);
  const { repeat_count, suppressed_count } = asked;
  const counts = {
    ...(repeat_count !== undefined && { repeat_count }),
    ...(suppressed_count !== undefined && { suppressed_count }),
  };
  return { found, rule, teamId, names, warnings, counts };
}
