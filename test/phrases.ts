// Phrases that texts for readers do not use, and what they use instead. The list grows with each finding.

export type Phrase = {
  readonly phrase: RegExp;
  readonly instead: string;
  /** The part of the covered files that it holds for; absent: all. */
  readonly under?: string;
  /** Right sentences that look alike. */
  readonly right?: readonly string[];
};

/** Files and folders with texts for readers that the list covers. */
export const coveredPaths: readonly string[] = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'docs/api.md',
  'docs/channels.md',
  'docs/contacts.md',
  'docs/dashboard.md',
  'docs/event-stream.md',
  'docs/events-in.md',
  'docs/incidents.md',
  'docs/mapping.md',
  'docs/on-call.md',
  'docs/operating.md',
  'docs/pagerctl.md',
  'docs/performance.md',
  'docs/playbooks.md',
  'docs/preview.md',
  'docs/push.md',
  'docs/routing-rules.md',
  'docs/rules.md',
  'docs/security.md',
  'docs/simulate.md',
  'docs/switching.md',
  'docs/terraform-export.md',
  'docs/terraform/',
  'docs/webhooks.md',
  'docs/connections/',
  'src/client/',
  'src/config.ts',
  'src/limits/',
  'src/resources/',
  'src/settings.ts',
  'src/alerts/',
  'src/api/',
  'src/replies/',
  'src/server/',
  'src/terraform/',
  'src/channels/',
  'src/commands/',
  'src/dashboard/',
  'src/engine/',
  'src/incidents/',
  'src/notices/',
  'src/pagerctl.ts',
  'src/shifts/',
];

export const phrases: readonly Phrase[] = [
  {
    phrase: /(?<!\bthere )\b(?:is|was|are|were) none\b/i,
    instead: 'is invalid',
    right: ['There is no open incident.', 'If there are none, add one.'],
  },
  { phrase: /\bis no (?:text|number|list|object|instant|id)\b/, instead: 'must be text' },
  { phrase: /\bwhoever\b/i, instead: 'the person who', under: 'docs/' },
  { phrase: /\b(?:it is|be|are) tried again\b/i, instead: 'retried' },
  { phrase: /\b(?:in vain|anew)\b/i, instead: 'without effect, again' },
  { phrase: /\b(?:failed?|lost) for good\b/, instead: 'permanently' },
  { phrase: /\bmeanwhile\b/i, instead: 'at the same time', under: 'docs/' },
  { phrase: /\b(?:told|tells)\b/i, instead: 'notified, shows, contains' },
  {
    phrase: /\bof (?:yours|theirs|ours|its own)\b/,
    instead: 'your, their, our, its',
    right: ['Your incidents', 'of your team'],
  },
  { phrase: /\bwhat (?:has )?bec(?:ame|ome) of\b/i, instead: 'the result of' },
  { phrase: /(?<![.\w])(?:some|every|any)body\b(?!:)/i, instead: 'someone, everyone, anyone' },
  { phrase: /\bany more\b(?! than)/i, instead: 'no longer, anymore', right: ['any more than 5'] },
  {
    phrase: /\bresolved already|acknowledged already|used already|open already\b/,
    instead: 'already resolved',
  },
  { phrase: /\bcould not be read\b/, instead: 'could not be loaded', under: 'src/dashboard/' },
  { phrase: /\bthat which\b/i, instead: 'what' },
  {
    phrase: /\bstands?\b(?! (?:for|by|out)\b)/,
    instead: 'is',
    right: ['SEV stands for severity'],
  },
  { phrase: /\bbeside\b/i, instead: 'next to', right: ['besides'] },
  {
    phrase: /\b(?:organis|recognis)[a-z]*(?= [a-z]|\.?['"`])|\bbehaviour/i,
    instead: 'the American spelling',
    right: ['Organization'],
  },
  {
    phrase: /['`"][^'`"]*\w; (?!charset)\w[^'`"]*['`"]/,
    instead: 'two sentences',
    under: 'src/dashboard/',
  },
  { phrase: /\w …/, instead: 'no space before …', under: 'src/dashboard/', right: ['Saving…'] },
];

/** Texts and code of a file, line by line, without its comments. */
export function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, '');
  // Not within a text, such as the path '/hooks/*'.
  return text.replace(/(?<=^|[\s({,[])\/\*[\s\S]*?\*\//gm, blank).replace(/(^|\s)\/\/ .*$/gm, '$1');
}
