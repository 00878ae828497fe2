import assert from 'node:assert/strict';
import type { Managed } from '../../src/terraform/managed.ts';
import { startClient } from '../client.ts';
import type { RecordsApiOptions } from '../records-api.ts';
import { Core } from './core.ts';
import { type ApiProxy, startProxy } from './proxy.ts';

type ProviderOptions = RecordsApiOptions & { readonly managed?: readonly Managed[] };

/** The provider, configured for an API that a proxy stands before. */
export async function startProvider(options: ProviderOptions = {}) {
  const stack = new AsyncDisposableStack();
  const at = stack.use(await startClient(options));
  const proxy: ApiProxy = stack.use(await startProxy(at.client.address));
  const settings = { api_key: at.key.id, base_url: proxy.address, max_retries: 4 };
  const core = new Core(options.managed);
  assert.deepEqual(await core.configure(settings), []);
  return {
    ...at,
    proxy,
    core,
    settings,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
