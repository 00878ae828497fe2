/** The digits of what was typed or pasted, such as `123 456` or `Code: 123456`. */
export const codeOf = (text: string): string => text.replace(/\D/g, '').slice(0, 6);
