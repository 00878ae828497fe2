// Loaded before the tests. To know which test an uncaught error belongs to, the test runner follows
// every promise with a hook that also waits for its end. That is a third of the processor time of
// tests with many promises. A context that Node carries along costs almost nothing and says the same.
import hooks, { AsyncLocalStorage, type HookCallbacks } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

const { createHook, executionAsyncId } = hooks;
/** The id of the test that a piece of code was started by. */
const owner = new AsyncLocalStorage<number>();

// A connection that a server of a test accepts has no such context: the runner’s hook still follows
// all that is not a promise.
const withoutPromises = ({ init, ...others }: HookCallbacks) =>
  createHook({
    ...others,
    trackPromises: false,
    init: (id, type, trigger, resource) => init?.(id, type, owner.getStore() ?? trigger, resource),
  });
const ownerNow = () => owner.getStore() ?? executionAsyncId();

// Only the runner, which takes them when it is loaded, gets these.
Object.assign(hooks, { createHook: withoutPromises, executionAsyncId: ownerNow });
await import('node:test');
Object.assign(hooks, { createHook, executionAsyncId });
tracingChannel<object, number>('node.test').start.bindStore(owner, () => executionAsyncId());
