// What is noted of a body that another tool than the integration's sends: in the log of events, and
// read again from there.

export const misreadPhrase = ', and the integration is of type ';

export const misreadNote = (other: string, name: string): string =>
  `it looks like ${other}${misreadPhrase}${name}`;

/** Which tool seems to send, by its name, as a note says of an integration whose type has that name. */
export function misreadIn(note: string, name: string): string | undefined {
  const at = note.indexOf(`${misreadPhrase}${name}`);
  const begins = note.lastIndexOf('it looks like ', at);
  return at < 0 || begins < 0 ? undefined : note.slice(begins + 'it looks like '.length, at);
}
