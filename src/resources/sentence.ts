/** With a capital letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A phrase with a capital letter and a full stop. */
export const sentenceOf = (phrase: string): string => `${capitalised(phrase)}.`;
