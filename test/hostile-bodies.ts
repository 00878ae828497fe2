// Bodies that are made to be slow to read, by what they are made of.

export type HostileBody = { readonly contentType: string; readonly text: string };

/** Each of about so many characters. */
export function hostileBodies(length: number): Readonly<Record<string, HostileBody>> {
  const filled = (head: string, unit: string, tail = ''): string => {
    const rest = Math.max(0, length - head.length - tail.length);
    return head + unit.repeat(Math.floor(rest / unit.length)) + tail;
  };
  const numbered = (unit: (n: number) => string, separator = ''): string =>
    Array.from({ length: Math.floor(length / (unit(9_999).length + separator.length)) }, (_, n) =>
      unit(n),
    ).join(separator);
  const group = '{"status":"firing","version":"4","groupLabels":{},"receiver":"r","alerts":[';
  const inJson: Readonly<Record<string, string>> = {
    'a list of empty objects': filled('[', '{},', '{}]'),
    'a member with empty objects': filled('{"title":"x","a":[', '{},', '{}]}'),
    'a list of strings that hold JSON': filled('[', '"{\\"a\\":{\\"b\\":1}}",', '"{}"]'),
    'a list of titles': filled('[', '{"title":"a"},', '{"title":"a"}]'),
    'numbers beside one of many digits': filled('{"n":12345678901234567890,"a":[', '1,', '1]}'),
    'numbers of many digits': filled('{"a":[', '12345678901234567,', '1]}'),
    'many members': `{${numbered((n) => `"m${n}":1`, ',')}}`,
    'halves of pairs': filled('{"title":"\\ud800","a":[', '{},', '{}]}'),
    'alerts without anything': filled(group, '{},', '{}]}'),
    'alerts of few members': filled(group, '{"labels":{},"status":"firing"},', '{}]}'),
    wrappings: filled('{"data":{"payload":{"event":{"list":[', '{"data":{}},', '{}]}}}}'),
    'line breaks in a string': filled('{"title":"', '\n', '"}'),
    'line breaks in a string without an end': filled('{"title":"', '\n'),
    quotes: filled('{"title":"', '"', '"}'),
    'quotes and spaces': filled('{"title":"', '" ', '"}'),
    'quotes and commas': filled('{"title":"', '",', '"}'),
    'escaped quotes': filled('{"title":"\n', '\\"', '"}'),
    'escaped quotes and brackets': filled('{"title":"\n', '\\"}', '"}'),
    backslashes: filled('{"title":"', '\\x', '"}'),
    'open brackets': filled('', '['),
    'bare words': filled('[', 'a,', 'a]'),
  };
  const others: Readonly<Record<string, HostileBody>> = {
    'XML of elements': { contentType: 'text/xml', text: filled('<a>', '<b/>', '</a>') },
    'XML of names': {
      contentType: 'text/xml',
      text: `<a>${numbered((n) => `<b${n}/>`)}</a>`,
    },
    'XML of attributes': {
      contentType: 'text/xml',
      text: `<a ${numbered((n) => `b${n}="1"`, ' ')}/>`,
    },
    'XML of entities': { contentType: 'text/xml', text: filled('<a>', '&lt;', '</a>') },
    'a form of encoded fields': {
      contentType: 'application/x-www-form-urlencoded',
      text: numbered((n) => `m${n}=%20`, '&'),
    },
    'a form of parts': {
      contentType: 'multipart/form-data',
      text: filled(
        '--a\r\ncontent-disposition: form-data; name=a\r\n\r\n1',
        '\r\n--a\r\ncontent-disposition: form-data; name=b\r\n\r\n1',
        '\r\n--a--',
      ),
    },
    'plain text': { contentType: 'text/plain', text: filled('disk full ', 'word ') },
  };
  const json = Object.entries(inJson).map(
    ([name, text]) => [name, { contentType: 'application/json', text }] as const,
  );
  return { ...Object.fromEntries(json), ...others };
}
