import assert from 'node:assert/strict';
import { startClient } from '../client.ts';
import { Core } from './core.ts';
import { type ApiProxy, startProxy } from './proxy.ts';

/** The provider, configured for an API that a proxy stands before. */
export async function startProvider() {
  const stack = new AsyncDisposableStack();
  const at = stack.use(await startClient());
  const proxy: ApiProxy = stack.use(await startProxy(at.client.address));
  const settings = { api_key: at.key.id, base_url: proxy.address };
  const core = new Core();
  assert.deepEqual(await core.configure(settings), []);
  return {
    ...{ ...at, proxy, core, settings },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
