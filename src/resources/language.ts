// The languages of what is spoken and of short texts. Their phrases are in src/notices/words/.

export const languages = ['en', 'de', 'fr', 'es'] as const;
export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'en';

/** A later release may have stored one that this one does not know. */
export const knownLanguage = (stored: string | null | undefined): Language =>
  languages.find((one) => one === stored) ?? defaultLanguage;
