// The words of what is spoken and of short messages, by language: what other languages would
// translate stands here alone.

export type Language = 'en';

export type Phrases = {
  /** As speech is requested in it. */
  readonly locale: string;
  readonly spoken: {
    readonly greeting: (organization: string) => string;
    readonly service: (name: string) => string;
    readonly priority: (name: string) => string;
    readonly incident: (number: string) => string;
    readonly key: Readonly<Record<'acknowledge' | 'resolve' | 'escalate' | 'repeat', string>>;
    /** Where keys have no effect. */
    readonly noKeys: string;
    readonly readOnly: string;
    readonly code: (digits: string) => string;
    readonly codeUnrequested: string;
    readonly until: (time: string) => string;
    readonly next: string;
    readonly goodbye: string;
    readonly test: string;
  };
  readonly short: {
    readonly verb: Readonly<Record<'acknowledge' | 'resolve' | 'escalate', string>>;
    readonly code: (code: string) => string;
    readonly codeUnrequested: string;
    readonly until: (time: string) => string;
    readonly test: string;
  };
};

const english: Phrases = {
  locale: 'en-US',
  spoken: {
    greeting: (organization) => `This is Pager, for ${organization}.`,
    service: (name) => `Service ${name}.`,
    priority: (name) => `Priority ${name}.`,
    incident: (number) => `Incident number ${number}.`,
    key: {
      acknowledge: 'To acknowledge, press 4.',
      resolve: 'To resolve, press 6.',
      escalate: 'To escalate, press 9.',
      repeat: 'To hear this again, press star.',
    },
    noKeys: 'Keys have no effect in this call. Open Pager to acknowledge or resolve.',
    readOnly: 'You cannot acknowledge or resolve it.',
    code: (digits) => `Your code is: ${digits}.`,
    codeUnrequested: 'If you did not request it, hang up. Without the code, you get no calls here.',
    until: (time) => `Until ${time}.`,
    next: 'Next incident.',
    goodbye: 'Goodbye.',
    test: 'This is a test call from Pager. Pages are read to you like this.',
  },
  short: {
    verb: { acknowledge: 'ack', resolve: 'resolve', escalate: 'escalate' },
    code: (code) => `${code} is your Pager code.`,
    codeUnrequested: 'If you did not request it, ignore this.',
    until: (time) => `until ${time}`,
    test: 'This is a test message from Pager. Pages arrive here like this.',
  },
};

const phrases: Readonly<Record<Language, Phrases>> = { en: english };

export const phrasesIn = (language: Language): Phrases => phrases[language];
