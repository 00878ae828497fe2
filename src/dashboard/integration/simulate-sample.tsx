// A sample alert at any time: which rules match, and who would be paged.
import { useId, useState } from 'react';
import type { Draft } from '../form/draft.ts';
import { AtTime } from '../oncall/at-time.tsx';
import { atOf, isWhole, type When } from '../oncall/when.ts';
import { SampleFields } from '../rules/sample-fields.tsx';
import { noSource, sampleEvent } from '../rules/trial.ts';
import { Button } from '../ui/button.tsx';
import { Simulated } from './simulate-event.tsx';
import { words as all } from './words.ts';

const words = all.events;

export function SimulateSample({ id }: { id: string }) {
  const headId = useId();
  const [sample, setSample] = useState(noSource.sample);
  const [when, setWhen] = useState<When>(null);
  const [sent, setSent] = useState<Draft>();
  const event = isWhole(when) ? sampleEvent(sample) : undefined;
  const body = event && { integration_id: id, event, ...atOf(when) };
  const isStale = JSON.stringify(sent) !== JSON.stringify(body);
  return (
    <section
      aria-labelledby={headId}
      className="my-2 flex flex-col gap-3 rounded-lg border border-line p-3"
    >
      <div>
        <h2 id={headId} className="font-medium">
          {words.sample}
        </h2>
        <p className="text-sm text-ink2">{words.sampleText}</p>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <SampleFields sample={sample} onChange={setSample} />
      </div>
      <AtTime label={words.arrivesAt} when={when} choose={setWhen} />
      <Button className="self-start" disabled={body === undefined} onClick={() => setSent(body)}>
        {words.simulate}
      </Button>
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {sent !== undefined && !isStale && <Simulated body={sent} />}
      </div>
    </section>
  );
}
