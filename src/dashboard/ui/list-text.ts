import { once } from '../../resources/once.ts';

const list = once(() => new Intl.ListFormat('en', { type: 'conjunction' }));

/** As `title, severity, and priority`, in English like the sentence around it. */
export const listText = (names: readonly string[]): string => list().format(names);
