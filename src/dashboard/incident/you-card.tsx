import { Countdown } from '../ui/countdown.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { Answer } from './answer.tsx';
import { box, Card } from './card.tsx';
import { PartFailed } from './part-failed.tsx';
import { useForecast, useWhy } from './queries.ts';
import { WhyChain } from './why-chain.tsx';
import { words } from './words.ts';

/** Whether one was paged, why, and what comes next. */
export function YouCard({ id }: { id: string }) {
  const why = useWhy(id);
  const { data } = why;
  const { data: forecast } = useForecast(id);
  const [next] = forecast?.data ?? [];
  return (
    <Card title={words.you}>
      <div className={`${box} flex min-h-32 flex-col gap-1.5 pointer-coarse:text-lg`}>
        {data && <Answer why={data} isOwn />}
        <PartFailed text={words.whyFailed} query={why} />
        {next && (
          <p className="text-ink2 text-pretty">
            <Sentence text={next.text} />{' '}
            <span className="font-medium text-ink">
              <Countdown at={next.at} />
            </span>
          </p>
        )}
        {data && <WhyChain id={id} why={data} />}
      </div>
    </Card>
  );
}
