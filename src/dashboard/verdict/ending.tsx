// What became of a resolved incident: what it was merged into, or what it turned out to be.
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { incidentRole } from '../../resources/roles.ts';
import type { Verdict } from '../../resources/verdicts.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import type { Incident } from '../incident/incident.ts';
import { useShow } from '../incident/queries.ts';
import { words as incidentWords } from '../incident/words.ts';
import { useKeys } from '../shell/use-keys.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Moment } from '../ui/moment.tsx';
import { useNow } from '../ui/now.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { isNight } from './night.ts';
import { VerdictButtons } from './verdict-buttons.tsx';
import { verdictNames, words } from './words.ts';

type EndingProps = { id: string; incident: Incident };

export function Ending({ id, incident }: EndingProps) {
  const { merged_into_id } = incident;
  if (merged_into_id === undefined)
    return incident.test ? null : <VerdictLine id={id} incident={incident} />;
  return (
    <p>
      {words.mergedInto}{' '}
      <Link
        to="/incidents/$number"
        params={{ number: merged_into_id }}
        className="text-iris underline"
      >
        {incidentWords.goThere}
      </Link>
    </p>
  );
}

/** Once anybody has answered, nobody is asked. */
function VerdictLine({ id, incident }: EndingProps) {
  const { verdict } = incident;
  const isAllowed = useMay(incidentRole) === true;
  const isAsleep = isNight(useNow());
  const [isChanging, setChanging] = useState(false);
  const line = useRef<HTMLElement>(null);
  const write = useWrite(['incidents']);
  const show = useShow(id);
  async function set(to: Verdict | null) {
    const path = `/incidents/${id}/verdict`;
    const body = { verdict: to };
    const answer = await write.send({ method: 'POST', path, body, name: words.set });
    if (answer === null) return;
    setChanging(false);
    // What this version of the API answers, as docs/openapi.json has it.
    show(answer as unknown as Incident);
    // The button that had the focus goes away.
    line.current?.focus();
  }
  const isQuestion = isAllowed && (isChanging || (verdict === undefined && !isAsleep));
  if (!isQuestion && verdict === undefined) return null;
  return (
    <section
      ref={line}
      tabIndex={-1}
      aria-label={words.verdict}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 outline-none print:hidden"
    >
      {isQuestion ? (
        <>
          <p className="text-ink2">{words.question}</p>
          <VerdictButtons
            label={words.question}
            current={verdict}
            isPending={write.isPending}
            onChoose={(one) => void set(one)}
          />
          {verdict !== undefined && (
            <>
              <WriteButton
                className="min-h-8 px-2.5"
                aria-disabled={write.isPending}
                onClick={() => void set(null)}
              >
                {words.remove}
              </WriteButton>
              <Button className="min-h-8 px-2.5" onClick={() => setChanging(false)}>
                {words.keep}
              </Button>
            </>
          )}
          <VerdictKeys set={(one) => void set(one)} />
        </>
      ) : (
        verdict !== undefined && (
          <>
            <p>
              <span className="text-ink3">{words.verdict}</span>{' '}
              <span className="font-medium">{verdictNames[verdict]}</span>
              {incident.verdict_by && incident.verdict_at && (
                <span className="text-ink2">
                  {' '}
                  {words.by} <bdi>{incident.verdict_by.name}</bdi>,{' '}
                  <Moment at={incident.verdict_at} />
                </span>
              )}
            </p>
            {isAllowed && (
              <button
                type="button"
                onClick={() => setChanging(true)}
                className="min-h-6 rounded-sm text-ink2 underline pointer-coarse:min-h-11"
              >
                {words.change}
              </button>
            )}
          </>
        )
      )}
      <FailedWrite failure={write.failure} />
    </section>
  );
}

/** As long as it is asked. */
function VerdictKeys({ set }: { set: (verdict: Verdict) => void }) {
  const latest = useRef(set);
  useEffect(() => {
    latest.current = set;
  });
  useKeys(
    useMemo(
      () => ({
        real: () => latest.current('real'),
        false_alarm: () => latest.current('false_alarm'),
        nothing_to_do: () => latest.current('nothing_to_do'),
        unclear: () => latest.current('unclear'),
      }),
      [],
    ),
  );
  return null;
}
