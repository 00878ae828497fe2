// A phone in a call whose other side follows TwiML: it hears what is spoken, and a key counts only
// while one is waited for.
import { readTwiml, type Verb } from './twiml.ts';

export type FakePhone = {
  /** Whole texts, in their order. */
  readonly heard: readonly string[];
  /** Hears what is spoken now, and not yet what follows. */
  hear(): string;
  /** Answers whether anything waited for it; until the first word is heard, the first verb does. */
  press(key: string): Promise<boolean>;
  /** Hears all until the other side hangs up. */
  listen(): Promise<void>;
  hangUp(): Promise<void>;
};

type Line = {
  /** Answers what is done next. */
  press(action: string, key: string): Promise<string>;
  ended(): Promise<void>;
};

const ERROR = 'We are sorry, an application error has occurred. Goodbye.';

export function pickUp(twiml: string, line: Line): FakePhone {
  const heard: string[] = [];
  let verbs = verbsOf(twiml);
  let isOver = false;

  async function end(): Promise<void> {
    if (isOver) return;
    isOver = true;
    await line.ended();
  }

  return {
    heard,
    hear() {
      const [verb] = verbs;
      if (isOver || verb === undefined || !('text' in verb)) throw new Error('nobody speaks');
      heard.push(verb.text);
      // Else the call goes on once no key has come.
      if (verb.verb !== 'Gather') verbs = verbs.slice(1);
      return verb.text;
    },
    async press(key) {
      const [verb] = verbs;
      if (isOver || verb?.verb !== 'Gather' || verb.finishOnKey === key) return false;
      if (verb.numDigits !== 1) throw new Error('the fake waits for one key only');
      verbs = verbsOf(await line.press(verb.action, key));
      return true;
    },
    async listen() {
      for (const verb of verbs) {
        if (isOver || verb.verb === 'Hangup') break;
        if ('text' in verb) heard.push(verb.text);
      }
      await end();
    },
    hangUp: end,
  };
}

function verbsOf(twiml: string): readonly Verb[] {
  try {
    return readTwiml(twiml);
  } catch {
    return [{ verb: 'Say', text: ERROR }];
  }
}
