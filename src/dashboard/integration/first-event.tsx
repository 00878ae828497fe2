import { useQuery } from '@tanstack/react-query';
import { useWrite } from '../api/use-write.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Section } from '../ui/section.tsx';
import { WriteButton } from '../ui/write-button.tsx';
import { IncidentLinks } from './incident-links.tsx';
import { type Event, outcomeText } from './integration.ts';
import { latestQuery } from './queries.ts';
import { words } from './words.ts';

/** What the tool has sent last, as soon as it comes; until then that it is waited for. */
export function FirstEvent({ id, maySend }: { id: string; maySend: boolean }) {
  const query = useQuery(latestQuery(id));
  return (
    <Section
      title={query.data?.tool ? words.last : words.first}
      text={words.firstText}
      action={maySend && <SendTest id={id} />}
    >
      <Loaded query={query}>
        {({ tool, test }) => (
          <div role="status" className="flex min-h-16 flex-col gap-3">
            {tool ? (
              <Came event={tool} text={words.came} />
            ) : (
              <p className="flex items-center gap-2 text-ink2">
                <Icon name="radio" className="size-4 shrink-0 text-iris" />
                {words.waiting}
              </p>
            )}
            {test && <Came event={test} text={words.test} />}
          </div>
        )}
      </Loaded>
    </Section>
  );
}

function Came({ event, text }: { event: Event; text: string }) {
  const { outcome, reason, received_at } = event;
  const isGood = !['unreadable', 'dropped'].includes(outcome);
  return (
    <div className="flex items-start gap-2">
      <Icon
        name={isGood ? 'check' : 'triangle-alert'}
        className={`mt-0.5 size-4 shrink-0 ${isGood ? 'text-green' : 'text-red'}`}
      />
      <div className="min-w-0">
        <p>
          {text} <Moment at={received_at} to="second" />: {outcomeText(event)}.
        </p>
        {reason !== undefined && <p className="text-pretty text-ink2 wrap-anywhere">{reason}</p>}
        <IncidentLinks event={event} />
      </div>
    </div>
  );
}

function SendTest({ id }: { id: string }) {
  const { send, isPending, failure } = useWrite(['integrations', id], ['incidents'], ['attention']);
  return (
    <div className="flex flex-col items-start gap-1">
      <WriteButton
        aria-disabled={isPending}
        onClick={() =>
          !isPending &&
          void send({
            method: 'POST',
            path: `/integrations/${id}/test-event`,
            name: words.sendTest,
          })
        }
      >
        {isPending ? words.sending : words.sendTest}
      </WriteButton>
      <p className="text-sm text-pretty text-ink3">{words.testText}</p>
      <FailedWrite failure={failure} />
    </div>
  );
}
