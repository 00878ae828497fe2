import { Link } from '@tanstack/react-router';
import { failureText } from '../../client/answer.ts';
import { forget, type OpenWrite, openWrites, tryAgain } from '../api/open-writes.ts';
import { useStore } from '../api/use-store.ts';
import { Button } from '../ui/button.tsx';
import { words as uiWords } from '../ui/words.ts';
import { words } from './words.ts';

/** What was sent from a dialog that is closed or a page that was left, until it is known to be done. */
export const OpenWritesBar = () =>
  useStore(openWrites)
    .filter(({ isLeft, isTriedAgain, failure }) => isLeft && (isTriedAgain || failure !== null))
    .map((one) => <LeftWrite key={one.id} one={one} />);

function LeftWrite({ one: { id, write, origin, failure, mayBeDone } }: { one: OpenWrite }) {
  const what = (
    <Link to={origin.address} className="underline">
      {write.name && `${write.name}, `}
      <bdi>{origin.title}</bdi>
    </Link>
  );
  if (failure === null)
    return (
      <p role="alert" className="bg-amber-tint px-4 py-2 font-medium wrap-anywhere md:px-5">
        {words.notDoneYet} {what}
      </p>
    );
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-red-tint px-4 py-2 wrap-anywhere md:px-5"
    >
      <p className="min-w-0 flex-1 basis-72">
        <span className="font-medium">
          {mayBeDone ? words.mayBeDone : words.notDone} {what}
        </span>{' '}
        {failureText(failure)}
      </p>
      <span className="flex gap-2">
        <Button icon="refresh-cw" onClick={() => tryAgain(id)}>
          {uiWords.retry}
        </Button>
        <Button onClick={() => forget(id)}>{uiWords.close}</Button>
      </span>
    </div>
  );
}
