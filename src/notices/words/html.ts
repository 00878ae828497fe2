import { visibleText } from '../../resources/visible-text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand anywhere in HTML. */
export const escapedAsIs = (text: string) =>
  text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);

/** The same with its hidden characters to be seen. */
export const escaped = (text: string) => escapedAsIs(visibleText(text));
