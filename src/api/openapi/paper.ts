// The API on one page for people: docs/api.md.

import { httpLimits } from '../../limits/http.ts';
import { queryLimits } from '../../limits/queries.ts';
import { displayName } from '../../resources/declaration/resource.ts';
import { capitalised } from '../../resources/sentence.ts';
import { failures } from '../failures.ts';
import type { Route } from '../route.ts';

const opening = `# The HTTP API

The dashboard, \`pagerctl\` and the Terraform provider are clients of this API. [openapi.json](openapi.json)
describes every field, and a running server shows the same at \`/docs/api-reference\`.
(\`npm run generate\` writes this page from the routes and declarations.)

All paths are below \`/api/v1\`. Send an API key as \`x-api-key\` or \`Authorization: Bearer\`.
In a path, \`:id\` is a record's id or its counter (for incidents, the number; people, teams, API keys,
calendar feeds and channel connections have only ids).
A body of up to 64 KiB can also reference another record by its counter and a person by their e-mail
address. Pager stores and returns the id. (Terraform accepts only ids.)

- Lists take \`limit\` (1 to ${queryLimits.pageSize}, 50 by default) and \`cursor\`, and return
  \`{ "data": [...], "next_cursor": ... }\`.
- \`Idempotency-Key\` on a write: a repeated request within ${httpLimits.repeatableFor} hours is not executed again and
  returns the first response. It shows the created or changed record as it is now.
- \`If-Match: <version>\` on a write of a record with a version: fails with 409 if the record has
  changed since. [openapi.json](openapi.json) lists the routes that support it.
- \`x-team-id\` sets the team of a new record if its body does not.
- \`x-managed-by: terraform/prod\` on a write of a record sets the tool that manages it and its
  workspace (or \`terraform\` alone). The record returns it as \`managed_by\`, and you can filter lists by it
  (\`?managed_by=terraform\`). Writes without the header do not change it. \`PATCH { "managed_by": null }\`
  removes it.
- In a body, \`null\` means absent. You can send back fields that only Pager sets (\`readOnly\` in
  [openapi.json](openapi.json)). They are ignored.
- Bodies are JSON, nested at most ${httpLimits.bodyDepth} levels deep. The maximum size is twice that of their content:
  \`x-max-bytes\` of each route in [openapi.json](openapi.json).
- Each key can send ${httpLimits.requestsPerSecond} requests per second, and ${httpLimits.requestBurst.toLocaleString('en-US')} at once. See [all limits](operating.md#limits).
- A method that a path does not support gets 405, and \`Allow\` lists the supported methods.
- Responses contain \`x-request-id\`: yours, if you sent one of up to 128 visible ASCII characters.
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
  return [
    `## ${capitalised(displayName(tag))}`,
    '',
    '| Route | Least role | Description |',
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
    '## Errors',
    '',
    'Every error is `{ "error", "message", "issues": [{ "path", "message" }], "request_id" }`.',
    '',
    '| Status | `error` | Message, unless a more specific one applies |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
