import { useState } from 'react';
import { SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { Answer } from './answer.tsx';
import type { Why } from './incident.ts';
import { usePeople, useWhy } from './queries.ts';
import { words } from './words.ts';

/** What led to it, link by link, with the record that shows each. */
export function WhyChain({ id, why }: { id: string; why: Why }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-iris pointer-coarse:min-h-11">
        <Icon
          name="chevron-right"
          className="-ms-1 size-4 group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
        />
        {words.whyMe}
      </summary>
      {isOpen && <Story id={id} own={why} />}
    </details>
  );
}

/** About oneself, until somebody else is chosen. */
function Story({ id, own }: { id: string; own: Why }) {
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
          <span className="ms-1.5 text-sm text-ink3">{words.sources[source.type]}</span>
        </span>
      </li>
    ))}
  </ol>
);
