// What the document of the API says is what the API does: requests that it allows are refused only
// for what no schema can say, and what a schema says is held. `PAGER_TEST_SEED=random` draws others,
// `PAGER_OPENAPI_REQUESTS=40` as many of each operation, `PAGER_OPENAPI_ONLY=incidents` of some.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { isObject } from '../../src/resources/declaration/is-object.ts';
import { mended } from '../any-fields.ts';
import { seed } from '../seed.ts';
import { type AnyRequest, anyRequest, assertAllowed, type Existing } from './any-request.ts';
import { brokenRequests } from './broken.ts';
import { lineOf, misfit, type Operation, operations } from './document.ts';
import { type Allowed, allowed, stateCodes } from './refusals.ts';
import { type Answer, startTarget, type Target } from './server.ts';

const each = Number(process.env['PAGER_OPENAPI_REQUESTS'] ?? 6);
const only = new RegExp(process.env['PAGER_OPENAPI_ONLY'] ?? '.');
const tested = operations.filter((one) => only.test(lineOf(one)));
const BREAKS = 6;
/** After as many, what there is is read again. */
const OPERATIONS_BETWEEN = 8;
/** The others need a code, a vendor or a browser, or what they need is gone by then. */
const DONE_SHARE = 0.8;

let target: Target;
before(async () => {
  target = await startTarget();
});
after(() => target[Symbol.asyncDispose]());

/** What makes comes first, what removes last: the rest needs what is there. */
const methods = ['POST', 'GET', 'PATCH', 'PUT', 'DELETE'];
const inOrder = (all: readonly Operation[]) =>
  all.toSorted((one, other) => methods.indexOf(one.method) - methods.indexOf(other.method));

const sampled = (one: fc.Arbitrary<AnyRequest>, count: number) =>
  fc.sample(one, { numRuns: count, seed });

const callerOf = ({ isOfSessions, path }: Operation, index: number) =>
  isOfSessions || path.includes('/me') || index % 2 === 1 ? 'session' : 'key';

test('a request that the document allows is refused only for what no schema can say', async () => {
  const faults = new Faults();
  const done = new Set<Operation>();
  let count = 0;
  let existing: Existing = {};
  for (const [place, operation] of inOrder(tested).entries()) {
    if (place % OPERATIONS_BETWEEN === 0) existing = await target.existing();
    const requests = sampled(anyRequest(operation, existing), each);
    for (const [index, drawn] of requests.entries()) {
      const request = index % 2 === 0 ? drawn : likely(drawn);
      assertAllowed(request);
      const answer = await target.send(request, callerOf(operation, index));
      count += 1;
      if (answer.status < 300) done.add(operation);
      faults.add(documented(operation, answer) ?? unjustified(operation, answer), request);
    }
  }
  faults.assertNone(`${count} requests`);
  const share = done.size / tested.length;
  assert.ok(share >= DONE_SHARE, `${share} of the operations were ever done`);
});

test('a request that breaks one thing that the document says is refused at its place', async () => {
  const faults = new Faults();
  let count = 0;
  let existing: Existing = {};
  for (const [place, operation] of inOrder(tested).entries()) {
    if (place % OPERATIONS_BETWEEN === 0) existing = await target.existing();
    const requests = sampled(anyRequest(operation, existing), Math.ceil(each / 3));
    for (const [index, request] of requests.entries())
      for (const { request: sent, path, what } of someOf(brokenRequests(likely(request)))) {
        const answer = await target.send(sent, callerOf(operation, index));
        count += 1;
        const fault = documented(operation, answer) ?? unnoticed(answer, path);
        faults.add(fault && `${what} at ${path}: ${fault}`, sent);
      }
  }
  faults.assertNone(`${count} requests`);
});

function someOf<T>(all: readonly T[]): readonly T[] {
  const some = fc.shuffledSubarray([...all], { maxLength: Math.min(BREAKS, all.length) });
  return fc.sample(some, { numRuns: 1, seed })[0] ?? [];
}

/** The same without what fields would refuse together: more of these requests are done. */
function likely(request: AnyRequest): AnyRequest {
  const { operation, body } = request;
  if (operation.method === 'PATCH' || !isObject(body)) return request;
  return { ...request, body: mended(withoutNulls(body)) };
}

const withoutNulls = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value), (_, one) =>
    isObject(one)
      ? Object.fromEntries(
          Object.entries(one).filter(([name, member]) => member !== null || isNobody(one, name)),
        )
      : one,
  );

/** Of an override, null is a value: the person who is replaced is taken off. */
const isNobody = (one: object, name: string) =>
  name === 'user_id' && 'start' in one && 'end' in one;

/** By operation and text, each with its first request. */
class Faults {
  readonly #first = new Map<string, AnyRequest>();

  add(fault: string | null, request: AnyRequest): void {
    if (fault === null) return;
    const text = `${lineOf(request.operation)}: ${fault.slice(0, 400)}`;
    if (!this.#first.has(text)) this.#first.set(text, request);
  }

  assertNone(context: string): void {
    const shown = [...this.#first].map(([text, { path, query, headers, body }]) => {
      const sent = JSON.stringify({ path, query, headers, body });
      return `${text}\n    ${sent.slice(0, 600)}`;
    });
    const summary = `${context}, seed ${seed}; ${shown.length} faults:\n${shown.join('\n')}`;
    assert.equal(shown.length, 0, summary);
  }
}

/** What the document does not say of the answer. */
function documented(operation: Operation, { status, headers, text }: Answer): string | null {
  if (status >= 500) return `${status} ${text}`;
  const { responses } = operation;
  const response = responses[status] ?? (status >= 400 ? responses['4XX'] : undefined);
  if (response === undefined) return `the status ${status} is not in the document: ${text}`;
  const type = headers['content-type']?.split(';')[0] ?? '';
  const content = response.content[type];
  if (content === undefined) return `the type ${type} is not in the document`;
  const body = type === 'application/json' ? JSON.parse(text) : text;
  const problem = misfit(content.schema, body);
  return problem === null ? null : `${status} with ${problem}`;
}

type Refused = { error: string; message: string; issues: { path: string; message: string }[] };

const fits = ({ path, message }: Allowed, issue: { path: string; message: string }) =>
  path.test(issue.path) && message.test(issue.message);

/** Why a refusal is not one of those that no schema can say. */
function unjustified(operation: Operation, { status, text }: Answer): string | null {
  if (status < 400) return null;
  const { error, message, issues }: Refused = JSON.parse(text);
  if (error in stateCodes) return null;
  const rows = allowed.filter(({ of }) => of?.test(lineOf(operation)) ?? true);
  const open = issues.filter((issue) => !rows.some((row) => fits(row, issue)));
  if (error === 'validation_failed' && issues.length > 0 && open.length === 0) return null;
  return `${status} ${error} ${message} ${JSON.stringify(open)}`;
}

/** Whether the break was not what the refusal is about. */
function unnoticed({ status, text }: Answer, path: string): string | null {
  if (status < 400) return `answered ${status}`;
  const { error, issues }: Refused = JSON.parse(text);
  // Of the whole body, its fields are named.
  if (path === '' || error in stateCodes || issues.some((one) => one.path === path)) return null;
  // What fields decide together may be looked at before.
  const isOther = issues.length > 0 && issues.every((one) => allowed.some((row) => fits(row, one)));
  return isOther ? null : `${status} ${error} ${JSON.stringify(issues)}`;
}
