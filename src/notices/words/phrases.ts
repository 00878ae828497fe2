// The words of what is spoken and of short texts, by language. Each language is a file beside this one.
import type { Language } from '../../resources/language.ts';
import { german } from './de.ts';
import { english, type Phrases } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';

export type { Language, Phrases };

const phrases: Readonly<Record<Language, Phrases>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

export const phrasesIn = (language: Language): Phrases => phrases[language];
