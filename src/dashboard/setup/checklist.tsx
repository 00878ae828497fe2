import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { mayAct } from '../../resources/roles.ts';
import { sessionQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { sameTeam } from '../shell/pages.ts';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Setup, Step, StepName } from './attention.ts';
import { words } from './checklist-words.ts';

/** Needed once in the life of an installation, so that it is in no page that others load. */
const ChooseZone = lazyPart(() => import('./choose-zone.tsx'), 'ChooseZone');

/** What is worth doing first, until all of it is done or it is hidden. */
export function Checklist({ setup: data }: { setup: Setup }) {
  const { data: session } = useQuery(sessionQuery);
  const [isHidden, setHidden] = useState(wasHidden);
  if (!session || isHidden) return null;
  const steps = data.steps.filter(({ needs }) => mayAct(session.user, needs));
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  const first = steps.find((step) => !step.done);
  return (
    <section
      aria-label={words.title}
      className="mx-3 my-3 rounded-lg border border-line bg-surface md:mx-4"
    >
      <div className="flex items-center gap-3 border-b border-line ps-3 pe-1.5">
        <h2 className="font-bold">{words.title}</h2>
        <span className="text-ink3">{words.progress(done, steps.length)}</span>
        <IconButton
          className="ms-auto my-1"
          icon="x"
          label={words.dismiss}
          onClick={() => {
            hide();
            setHidden(true);
          }}
        />
      </div>
      <ol className="divide-y divide-line">
        {steps.map((step) => (
          <StepShown key={step.name} step={step} isFirst={step === first} of={data} />
        ))}
      </ol>
      {mayAct(session.user, 'manager') && (
        <p className="border-t border-line px-3 py-2 text-sm text-pretty text-ink2">
          {words.terraform}{' '}
          <a
            href="/docs/terraform"
            className="font-medium text-iris underline-offset-2 hover:underline"
          >
            {words.terraformHow}
          </a>
        </p>
      )}
    </section>
  );
}

type StepProps = { step: Step; isFirst: boolean; of: Setup };

function StepShown({ step: { name, done }, isFirst, of }: StepProps) {
  const { title, text } = words.steps[name];
  const isMailMissing = name === 'reachable' && of.e_mail !== undefined;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
      <span
        className={`inline-flex size-5 shrink-0 items-center justify-center rounded-full border ${done ? 'border-green bg-green-tint text-green' : 'border-edge'}`}
      >
        {done && <Icon name="check" className="size-3.5" />}
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <h3 className={done ? 'text-ink3' : 'font-medium'}>
          {title}
          {done && <span className="sr-only">, {words.done}</span>}
        </h3>
        {!done && (
          <p className="text-sm text-pretty text-ink2">
            {isMailMissing ? words.push(of.e_mail) : text}
          </p>
        )}
      </div>
      {/* Nothing in the menu leads to the integration yet. */}
      {(!done || name === 'tool') && <Action name={name} isFirst={isFirst} of={of} />}
    </li>
  );
}

type ActionProps = { name: StepName; isFirst: boolean; of: Setup };

const pages = {
  reachable: '/me',
  contact: '/me',
  colleague: '/users',
  schedule: '/on-calls',
} as const;

function Action({ name, isFirst, of: { integration } }: ActionProps): ReactNode {
  const kind = isFirst ? 'primary' : 'plain';
  if (name === 'test_event')
    return integration && <SendTestEvent id={integration.id} kind={kind} />;
  if (name === 'time_zone')
    return (
      <Suspense fallback={<span className="h-9 pointer-coarse:h-11" />}>
        <ChooseZone kind={kind} />
      </Suspense>
    );
  const { action } = words.steps[name];
  if (name === 'tool')
    return integration ? (
      <Link
        to="/integrations/$id"
        params={{ id: integration.id }}
        search={sameTeam}
        className={buttonClass(kind)}
      >
        {action}
      </Link>
    ) : (
      <a href="/docs/integrations" className={buttonClass(kind)}>
        {action}
      </a>
    );
  return (
    <Link to={pages[name]} search={sameTeam} className={buttonClass(kind)}>
      {action}
    </Link>
  );
}

function SendTestEvent({ id, kind }: { id: string; kind: 'primary' | 'plain' }) {
  const { send, isPending, failure } = useWrite(['incidents'], ['attention']);
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        kind={kind}
        aria-disabled={isPending}
        onClick={() =>
          !isPending && void send({ method: 'POST', path: `/integrations/${id}/test-event` })
        }
      >
        {isPending ? words.sending : words.steps.test_event.action}
      </Button>
      <FailedWrite failure={failure} />
    </div>
  );
}

const HIDDEN = 'pager.setup.hidden';

/** A browser may refuse to store anything: then the steps are back with the next page. */
function wasHidden(): boolean {
  try {
    return localStorage.getItem(HIDDEN) !== null;
  } catch {
    return false;
  }
}

function hide(): void {
  try {
    localStorage.setItem(HIDDEN, 'yes');
  } catch {
    // It is hidden until then.
  }
}
