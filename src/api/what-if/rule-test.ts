// POST /alert-rules/test: evaluates a rule on an event. Nothing is written and nothing is sent.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { RpcServer } from '../../workers/rpc.ts';
import { type Compute, JsonText, taskRequester } from '../computing/computer.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { nameMethods } from './record-names.ts';
import { readRuleTestRequest, testBody } from './rule-test-request.ts';
import { ruleTestShape } from './rule-test-shape.ts';
import type { RuleTestInput } from './rule-test-task.ts';
import { savedRule } from './tested-rule.ts';
import { findTrialEvent } from './trial-event.ts';

type Parts = { readonly sql: Sql; readonly compute: Compute };

export function ruleTestRoutes(parts: Parts): Route[] {
  return [
    route('POST /alert-rules/test', 'manager', {
      tag: alertRoutingRule.table,
      doc: 'Tests a saved or unsaved rule on an event. Shows which conditions match, why, and what the rule would do.',
      writesNothing: true,
      computes: 'ruleTest',
      body: testBody,
      answers: { status: 200, schema: ruleTestShape },
      async handle(call) {
        const params = await paramsOf(parts.sql, call);
        const { organizationId } = call.caller;
        using server = new RpcServer(nameMethods(parts.sql, organizationId));
        const input = server.withPort(params);
        const computed = parts.compute(taskRequester(call), 'ruleTest', input);
        return ok(new JsonText(await server.during(computed)));
      },
    }),
  ];
}

async function paramsOf(sql: Sql, call: Call): Promise<Omit<RuleTestInput, 'port'>> {
  const request = readRuleTestRequest(call);
  const { rule, rule_id, repeat_count, suppressed_count } = request;
  const trial = await findTrialEvent(sql, call, request);
  const tried =
    rule_id === undefined
      ? { body: JSON.stringify(rule) }
      : await savedRule(sql, call.caller, rule_id);
  const counts = {
    ...(repeat_count !== undefined && { repeat_count }),
    ...(suppressed_count !== undefined && { suppressed_count }),
  };
  return { trial, tried, reader: { teamIds: call.caller.teamIds }, counts };
}
