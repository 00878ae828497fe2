#!/usr/bin/env node
// The operator's command.
import { fileURLToPath } from 'node:url';
import { onPinnedNode } from './pinned-node.js';

await onPinnedNode(fileURLToPath(import.meta.url), async (args) => {
  const { pagerctl } = await import('../src/pagerctl.ts');
  return pagerctl(args);
});
