/**
 * Characters that nobody sees and that reorder, hide or end what is around them: controls, of writing
 * direction too, and those without a width or a mark. Not those that join letters and emoji. Line
 * breaks and tabs are what they look like.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g;

/** They order what has no direction of its own; dates and numbers of some languages have them. */
const marks = '\u061c\u200e\u200f';

/** Text from outside with its hidden characters to be seen. */
export const visibleText = (text: string, { keepsMarks = false } = {}): string =>
  text.replaceAll('\r\n', '\n').replace(hidden, (character) => {
    if (keepsMarks && marks.includes(character)) return character;
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });

/** The same without them, where every character counts. */
export const withoutHidden = (text: string): string => text.replace(hidden, '');
