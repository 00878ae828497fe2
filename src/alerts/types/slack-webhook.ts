import { answerSlack } from '../handshakes.ts';
import type { Form, StateRule, Tool } from '../reading/notation.ts';

/** As 0.1.0 took Slack's marks out, for its keys. */
const plain = 'cut /<[^<>|]+\\||[<>*`]/';

/** A line for people, whose marks are read once Slack's own are taken out. */
const marked = (at: string): StateRule => ({ at: `${at} > line > slack`, marks: true });
const colored = (at: string): StateRule => ({
  at,
  trigger: 'danger warning #ff0000 #d63232 #e01e5a #a30200 #daa038 #d00000 #dc3545',
  resolve: 'good #00ff00 #36a64f #2eb886 #2eb67d #008000 #5cb85c #28a745',
});

const title = [
  'attachments[0].title',
  'attachments[0].fallback',
  'attachments[0].pretext',
  'text',
  'attachments[0].text',
].map((place) => `${place} > line > slack`);
/** netdata has values in its title, and says in its link what it is about. */
const netdata = (name: string) => `attachments[0].title_link > take /[?&]${name}=([^&]+)/`;
/** Uptime Kuma: [Name] [🔴 Down] reason. */
const kuma = 'take /\\[(.+?)\\] \\[[^\\[\\]]*(?:Down|Up)\\]/';
const wasKuma = 'take /\\[([^\\]]+)\\] \\[[^\\]]*(?:Down|Up)\\]/';

const everyLink = { Link: '^ > links' } as const;

const attachment = {
  title,
  key: [
    [netdata('host'), netdata('chart'), netdata('alarm')],
    ['attachments[0].title > line > stem'],
    ['attachments[0].fallback > line > stem'],
  ],
  state: [
    marked('attachments[0].title'),
    colored('attachments[0].color'),
    marked('attachments[0].pretext'),
    marked('text'),
    marked('attachments[0].fallback'),
  ],
  severity: {
    at: [
      'attachments[0].fields[title=Severity].value',
      'attachments[0].fields[title=Priority].value',
      'attachments[0].color',
    ],
    // Many tools send all that fires as danger.
    sev3: 'warning',
  },
  links: {
    Source: 'attachments[0].title_link',
    ...everyLink,
  },
} as const satisfies Form;

const block = (at: string): Form => {
  const texts = [
    `${at}[1].fields[0].text`,
    `${at}[1].text.text`,
    `${at}[0].text.text`,
    `${at}[0].fields[0].text`,
  ].map((place) => `${place} > cut /^\\*Message\\*\\s+/ > line`);
  const bodies = texts.map((text) => `${text} > slack`);
  const named = (by: string) => [
    [texts.map((text) => `${text} > ${plain} > ${by}`).join(' | ')],
    [`text > ${by}`],
  ];
  const heading = `${at}[0].text.text > line > slack`;
  return {
    title: [`{${heading}}: {${bodies.slice(0, 2).join(' | ')}}`, ...bodies, 'text'],
    key: named(kuma),
    was: named(wasKuma),
    state: [...bodies.map(marked), colored('attachments[0].color'), marked('text')],
    links: everyLink,
  };
};

export const slackWebhook = {
  slug: 'slack-webhook',
  name: 'Slack incoming webhook',
  description: 'Works with tools that can only post to Slack: text, attachments and blocks.',
  problem:
    'each title or text without its marks of state, and for known tools each object that the message names',
  status: 200,
  handshake: answerSlack,
  forms: [
    { when: ['attachments[0].blocks'], ...block('attachments[0].blocks') },
    { when: ['attachments'], ...attachment },
    { when: ['blocks'], ...block('blocks') },
    {
      title: `text > line > slack`,
      key: [[`text > ${kuma}`]],
      was: [[`text > ${wasKuma}`]],
      state: [marked('text')],
      links: everyLink,
    },
  ],
  guide: {
    steps: ['When the tool asks for the address of a Slack incoming webhook, enter {url}.'],
    notes: [
      'A message resolves if its color is good or green, or if it begins with OK:, [RESOLVED] or similar. A message with the state within its sentence ("is up", "has recovered") resolves an open incident, or otherwise opens one. All other messages trigger.',
      'The title without such marks is the key, so configure the tool to put no values into it. If the tool never sends an end, set auto_resolve on the integration, or resolve_when_quiet if it repeats its message while the problem lasts.',
    ],
  },
} as const satisfies Tool;
