import { failureText } from '../../client/answer.ts';
import { PagerError } from '../api/pager.ts';
import { Countdown } from '../ui/countdown.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { Answer } from './answer.tsx';
import { box, Card } from './card.tsx';
import { useForecast, useWhy } from './queries.ts';
import { WhyChain } from './why-chain.tsx';
import { words } from './words.ts';

/** Whether one was paged, why, and what comes next. */
export function YouCard({ id }: { id: string }) {
  const { data, error } = useWhy(id);
  const { data: forecast } = useForecast(id);
  const [next] = forecast?.data ?? [];
  return (
    <Card title={words.you}>
      <div className={`${box} flex min-h-32 flex-col gap-1.5 pointer-coarse:text-lg`}>
        {data && <Answer why={data} isOwn />}
        {data === undefined && error instanceof PagerError && <p>{failureText(error.failure)}</p>}
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
