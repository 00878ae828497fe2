// What somebody is answered whose reply by e-mail did not do what it asked for. It is sent at once.
import type { AnyNotice, NoticeKind } from '../kind.ts';
import { phraseOf, safeLink, type Words } from '../words/wording.ts';

type Content = {
  readonly about: 'answer';
  readonly kind: 'answer';
  readonly answer: {
    readonly incident: { readonly id: string; readonly number: number };
    readonly text: string;
    /** The page of the incident. */
    readonly url: string;
    /** The Message-ID of the reply; null: it had none. */
    readonly inReplyTo: string | null;
  };
};
export type AnswerNotice = AnyNotice & Content;

type Answering = Pick<AnswerNotice, 'organization' | 'recipient' | 'answer'> & {
  readonly now: Temporal.Instant;
};

export const answerNotice = ({ now, ...answering }: Answering): AnswerNotice => ({
  about: 'answer',
  kind: 'answer',
  key: `answer/${answering.answer.incident.id}/${now.epochMilliseconds}`,
  why: 'you replied to an e-mail from Pager',
  ...answering,
});

export const answer: NoticeKind<Content> = {
  about: 'answer',
  words: answerWords,
  threadOf: ({ answer: { incident } }) => `inc-${incident.id}`,
  sample: () => ({
    about: 'answer',
    kind: 'answer',
    key: 'answer/65f000000000000000000042/1795240800000',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you replied to an e-mail from Pager',
    answer: {
      incident: { id: '65f000000000000000000042', number: 42 },
      text: 'Nothing was changed: INC-42 is already resolved.',
      url: 'https://pager.example.com/incidents/42',
      inReplyTo: '<reply-1@mail.example.com>',
    },
  }),
};

function answerWords({ answer, organization, why }: AnswerNotice): Words {
  return {
    tone: 'warning',
    lead: 'About your reply',
    label: '',
    title: `INC-${answer.incident.number}`,
    facts: [],
    details: answer.text,
    actions: safeLink(answer.url, 'Open incident'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(answer.url)[0]?.href,
  };
}
