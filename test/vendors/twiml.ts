// TwiML as Twilio reads it: what it does not know is an error that the person hears.

export type Verb =
  | { readonly verb: 'Say'; readonly text: string }
  | {
      readonly verb: 'Gather';
      readonly text: string;
      readonly action: string;
      readonly numDigits: number;
      readonly finishOnKey: string;
    }
  | { readonly verb: 'Pause' | 'Hangup' }
  | { readonly verb: 'Message'; readonly text: string };

type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
};

/** What each may have. */
const known: ReadonlyMap<string, readonly string[]> = new Map([
  ['Response', []],
  ['Say', ['language', 'voice', 'loop']],
  ['Pause', ['length']],
  ['Hangup', []],
  ['Gather', ['input', 'numDigits', 'timeout', 'finishOnKey', 'action', 'method']],
  ['Message', ['to', 'from', 'action', 'method']],
]);

/** Throws what is wrong with it. */
export function readTwiml(xml: string): readonly Verb[] {
  const root = parseXml(xml);
  if (root.name !== 'Response') throw new Error('the root is no Response');
  return elementsOf(root).map(verbOf);
}

function verbOf(element: Element): Verb {
  const { name, attributes } = element;
  switch (name) {
    case 'Say':
    case 'Message':
      return { verb: name, text: textOf(element) };
    case 'Pause':
    case 'Hangup':
      return { verb: name };
    case 'Gather':
      return gatherOf(element, attributes);
    default:
      throw new Error(`${name} may not stand in Response`);
  }
}

function gatherOf(element: Element, attributes: Element['attributes']): Verb {
  const { input, action = '', numDigits = '', finishOnKey = '#', method } = attributes;
  if (input !== undefined && input !== 'dtmf') throw new Error(`the fake hears no ${input}`);
  if (!URL.canParse(action)) throw new Error('without a document, an action has to be a whole URL');
  if (method !== undefined && method !== 'POST') throw new Error('the fake only posts');
  if (!/^[1-9]\d*$/.test(numDigits)) throw new Error('numDigits is no number');
  const inside = elementsOf(element);
  const other = inside.find(({ name }) => name !== 'Say' && name !== 'Pause');
  if (other) throw new Error(`${other.name} may not stand in Gather`);
  const text = inside.map((one) => (one.name === 'Say' ? textOf(one) : '')).join(' ');
  return { verb: 'Gather', text, action, numDigits: Number(numDigits), finishOnKey };
}

const elementsOf = ({ name, children }: Element): readonly Element[] =>
  children.flatMap((child) => {
    if (typeof child !== 'string') return [child];
    if (child.trim() !== '') throw new Error(`${name} has text in it`);
    return [];
  });

function textOf({ name, children }: Element): string {
  const text = children.map((child) => {
    if (typeof child !== 'string') throw new Error(`${child.name} may not stand in ${name}`);
    return child;
  });
  return text.join('');
}

function parseXml(xml: string): Element {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, '');
  const root: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [root];
  const token = /<(\/?)(\w+)((?:\s+\w+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let end = 0;
  for (const [all, closing, name = '', attributes = '', empty, text] of body.matchAll(token)) {
    end += all.length;
    const parent = open.at(-1);
    if (parent === undefined) throw new Error('something follows the root');
    if (text !== undefined) {
      parent.children.push(unescaped(text));
    } else if (closing) {
      if (parent.name !== name) throw new Error(`${name} ends where ${parent.name} is open`);
      open.pop();
    } else {
      const element = { name, attributes: attributesOf(name, attributes), children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (end !== body.length) throw new Error(`it cannot be parsed at ${end}`);
  const [only, ...more] = root.children;
  if (open.length !== 1 || more.length > 0 || only === undefined || typeof only === 'string')
    throw new Error('it is not one element');
  return only;
}

function attributesOf(name: string, written: string): Element['attributes'] {
  const allowed = known.get(name);
  if (allowed === undefined) throw new Error(`there is no ${name}`);
  const pairs = [...written.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => {
    if (!allowed.includes(key)) throw new Error(`${name} has no ${key}`);
    return [key, unescaped(value)];
  });
  return Object.fromEntries(pairs);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

function unescaped(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) throw new Error('it has a control');
  return text.replace(/&[^;\s]*;?/g, (entity) => {
    const character = entities[entity];
    if (character === undefined) throw new Error(`there is no entity ${entity}`);
    return character;
  });
}
