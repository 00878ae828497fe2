import { listOf, text } from '../declaration/field.ts';
import { prefixExample, prefixPattern } from '../phone-prefixes.ts';

/** `what`: what Pager does to these numbers, such as `call and text`. */
export const allowedPrefixesField = (what: string, why: string) =>
  listOf(
    text({
      doc: 'The beginning of phone numbers, including the +.',
      pattern: prefixPattern,
      example: prefixExample,
    }),
    {
      doc: `The prefixes of phone numbers that Pager may ${what}, such as +49. Other numbers get nothing, because ${why}. +1 means the United States and Canada. For other countries that begin with +1, enter the full prefix, such as +1876.`,
      min: 1,
      max: 300,
      isSet: true,
    },
  );
