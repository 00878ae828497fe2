/** Line breaks and tabs are what they look like. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text from outside with its control characters to be seen, so that none reorders or hides others. */
export const visibleText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(hidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
