// The API on one page for people: docs/api.md.

import { httpLimits } from '../../limits/http.ts';
import { queryLimits } from '../../limits/queries.ts';
import { displayName } from '../display-name.ts';
import { failures } from '../failures.ts';
import type { Route } from '../route.ts';

const opening = `# The HTTP API

Written by \`npm run generate\` from the routes and declarations; \`docs/openapi.json\` has every
field, and a running server shows the same at \`/docs\`.

All paths are below \`/api/v1\`. Send an API key as \`x-api-key\` or \`Authorization: Bearer\`.
In a path, \`:id\` is a record's id or its counter (for incidents, the number; people, teams, API keys,
calendar feeds and channel connections have ids only).
A body of up to 64 KiB takes counters too where it names another record by its id, and for a person
the e-mail address; what is stored and answered is the id. (Terraform takes ids only.)

- Lists take \`limit\` (1 to ${queryLimits.pageSize}, 50 when absent) and \`cursor\`, and answer
  \`{ "data": [...], "next_cursor": ... }\`.
- \`Idempotency-Key\` on a write: sent again within ${httpLimits.repeatableFor} hours, the same request is not done
  again and gets the first answer; what it made or changed is shown as it is now.
- \`If-Match: <version>\` on a write of a record that has a version: refused with 409 when the record
  has changed since. [openapi.json](openapi.json) lists the routes that read it.
- \`x-team-id\` names the team that a new record is made in, when its body does not.
- \`x-managed-by: terraform/prod\` on a write of a record says which tool manages it, and in which
  workspace (or \`terraform\` alone): its \`managed_by\`, by which lists can be narrowed
  (\`?managed_by=terraform\`). Writes without it leave that as it is; \`PATCH { "managed_by": null }\`
  removes it.
- In a body, \`null\` counts as absent. What only Pager sets (\`readOnly\` in
  [openapi.json](openapi.json)) may be sent back as it was read, and is ignored.
- Bodies are JSON, nested at most ${httpLimits.bodyDepth} deep, of at most twice the bytes that what they say can have:
  \`x-max-bytes\` of each route in [openapi.json](openapi.json).
- ${httpLimits.requestsPerSecond} requests a second per key, ${httpLimits.requestBurst.toLocaleString('en-US')} at once; all limits are in [operating.md](operating.md#limits).
- A method that a path does not take gets 405, and \`Allow\` lists those that it takes.
- Answers carry \`x-request-id\`: yours, if you sent one of up to 128 visible ASCII characters.
`;

/** Every route with the role it needs, and every refusal. */
export function apiPage(routes: readonly Route[]): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return [opening, ...tags.map((tag) => section(tag, routes)), refusals()].join('\n');
}

function section(tag: string, routes: readonly Route[]): string {
  const rows = routes
    .filter((route) => route.tag === tag)
    .map(
      ({ method, path, role, keysRefused, doc }) =>
        `| \`${method} ${path}\` | ${role}${keysRefused ? ', session only' : ''} | ${cell(doc)} |`,
    );
  const title = displayName(tag);
  return [
    `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    '',
    '| Route | Least role | Does |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function refusals(): string {
  const rows = Object.entries(failures).map(
    ([code, [status, message]]) => `| ${status} | \`${code}\` | ${cell(message)} |`,
  );
  return [
    '## Refusals',
    '',
    'Every refusal is `{ "error", "message", "issues": [{ "path", "message" }], "request_id" }`.',
    '',
    '| Status | `error` | Message, unless a more specific one applies |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
