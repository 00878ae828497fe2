import { useState } from 'react';
import { words } from './words.ts';

/** Over plain HTTP browsers have no clipboard: `instead` makes it easy to copy by hand, and says so. */
export function useCopy(text: string, instead: () => string) {
  const [outcome, setOutcome] = useState('');
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome(words.copied);
    } catch {
      setOutcome(instead());
    }
  }
  return { outcome, copy };
}
