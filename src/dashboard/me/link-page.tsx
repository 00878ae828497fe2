import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { channelName } from '../ui/channel.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { words as accountWords } from './chat-account-words.ts';
import { type ChatLink, chatLinkPath, chatLinkQuery } from './queries.ts';

const words = accountWords.link;

/** What whoever is unknown in a chat is sent: opening it changes nothing, its button does. */
export function LinkPage() {
  useTitle(words.title);
  const { code } = useParams({ from: '/link/$code' });
  const link = useQuery(chatLinkQuery(code));
  return (
    <>
      <PageHeader title={words.title} />
      <Loaded query={link}>{(shown) => <Confirmation code={code} link={shown} />}</Loaded>
    </>
  );
}

function Confirmation({ code, link }: { code: string; link: ChatLink }) {
  const { name, vendor, account = channelName(vendor) } = link;
  const linking = useWrite(['users']);
  const [isLinked, setLinked] = useState(false);
  const confirm = async () => {
    const path = chatLinkPath(code);
    const done = await linking.send({ method: 'POST', path, name: words.link });
    if (done !== null) setLinked(true);
  };
  return (
    <Section title={isLinked ? words.linked(name, account) : words.question(name, account)}>
      <div role="status">
        {isLinked && (
          <p className="flex items-center gap-1.5 text-pretty text-green">
            <Icon name="check" />
            {words.linkedText}
          </p>
        )}
      </div>
      {isLinked ? (
        <Link to="/me" className="mt-3 inline-block underline">
          {words.me}
        </Link>
      ) : (
        <>
          <p className="text-pretty text-ink2">{words.text}</p>
          <FailedWrite failure={linking.failure} />
          <Button
            kind="primary"
            className="mt-3"
            aria-disabled={linking.isPending}
            onClick={() => void confirm()}
          >
            {words.link}
          </Button>
        </>
      )}
    </Section>
  );
}
