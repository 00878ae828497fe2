-- What rules ask about an incident's past, and which rules have changed it.
update incidents
set escalation = (escalation::jsonb
  || '{"suppressedAt": [], "repeatedAt": [], "appliedRules": []}')::json;
