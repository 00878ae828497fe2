type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): typeof rules;
};

const WORKER = '/sw.js';

/** Over plain HTTP browsers have no workers. It is renewed by itself when another one is there. */
export async function registerWorker(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const createScriptURL = () => WORKER;
  const policy = trustedTypes?.createPolicy('pager', { createScriptURL });
  const address = policy?.createScriptURL(WORKER) ?? WORKER;
  // Where somebody has switched workers off, all else works.
  await navigator.serviceWorker.register(address, { updateViaCache: 'none' }).catch(() => {});
}
