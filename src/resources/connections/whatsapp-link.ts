// People link their WhatsApp by a message that contains a code. A link writes it for them.

/** Opens a chat with the number, with the text to send. */
export const whatsAppUrl = (number: string, code: string): string =>
  `https://wa.me/${number.replace(/\D/g, '')}?text=${encodeURIComponent(linkTextOf(code))}`;

export const linkTextOf = (code: string): string => `Link Pager: ${code}`;

/** The code in a message. Null: it is another message. People may add words of their own. */
export const linkCodeIn = (text: string): string | null =>
  /\blink pager:?\s*([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/i.exec(text)?.[1] ?? null;
