const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand anywhere in HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
