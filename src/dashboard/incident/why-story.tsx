import { useState } from 'react';
import { SelectField } from '../ui/field.tsx';
import { Moment } from '../ui/moment.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { Answer } from './answer.tsx';
import type { Why } from './incident.ts';
import { usePeople, useWhy } from './queries.ts';

const words = { about: 'Ask about', me: 'Me' };
const sources: Readonly<Record<string, string>> = {
  event: 'event',
  timeline: 'timeline',
  page: 'page',
  attempt: 'attempt',
};

/** About oneself, until somebody else is chosen. */
export function WhyStory({ id, own }: { id: string; own: Why }) {
  const [userId, setUserId] = useState(own.user.id);
  const isOwn = userId === own.user.id;
  const { data: people = [] } = usePeople();
  const { data: other } = useWhy(id, userId, !isOwn);
  const why = isOwn ? own : other;
  const others = people.filter((person) => person.id !== own.user.id);
  return (
    <div className="mt-1 flex flex-col gap-3">
      <SelectField
        path="user_id"
        label={words.about}
        value={userId}
        onChange={setUserId}
        options={[
          { value: own.user.id, text: words.me },
          ...others.map((person) => ({ value: person.id, text: person.name })),
        ]}
      />
      {why && !isOwn && <Answer why={why} isOwn={false} />}
      {why && <Chain chain={why.chain} />}
    </div>
  );
}

const Chain = ({ chain }: Pick<Why, 'chain'>) => (
  <ol className="flex flex-col gap-1.5 text-base">
    {chain.map(({ at, text, source }) => (
      <li key={`${source.id} ${text}`} className="flex gap-2">
        <span className="shrink-0 text-ink2">
          <Moment at={at} />
        </span>
        <span className="min-w-0 wrap-anywhere">
          <Sentence text={text} />
          <span className="ms-1.5 text-sm text-ink3">{sources[source.type]}</span>
        </span>
      </li>
    ))}
  </ol>
);
