import { useQuery } from '@tanstack/react-query';
import type { Failure } from '../../client/answer.ts';
import { PagerError, readComputed } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { ofItsOwn } from '../api/queries.ts';
import { useLate } from '../ui/use-late.ts';
import { notifiedOf, type OverridePreview } from './covering.ts';

type NotifiedProps = {
  /** What previews the body. */
  path: string;
  body: Readonly<Record<string, unknown>>;
  /** Whether it is the body that a save would send. */
  isKnown: boolean;
  names: ReadonlyMap<string, string>;
  /** What is said before it. */
  first?: string;
  failureOf?: (failure: Failure) => string;
};

/** Whom a save tells, before it is made. */
export function Notified(props: NotifiedProps) {
  const { path, body, isKnown, names, first, failureOf = previewFailure } = props;
  const late = useLate(body);
  const isCurrent = isKnown && JSON.stringify(late) === JSON.stringify(body);
  const { data, error, isFetching } = useQuery({
    queryKey: ['on-calls', path, late],
    queryFn: () => readComputed<OverridePreview>(path, late),
    enabled: isCurrent,
    ...ofItsOwn,
  });
  const texts =
    isCurrent && error instanceof PagerError
      ? [failureOf(error.failure)]
      : isCurrent &&
        data && [
          ...(first === undefined ? [] : [first]),
          ...notifiedOf(data, (userId) => names.get(userId) ?? data.names[userId] ?? '…'),
        ];
  return (
    <div
      aria-live="polite"
      className={`min-h-5 rounded-md bg-sunken px-3 py-2 text-pretty ${isFetching || !isCurrent ? 'text-ink3' : ''}`}
    >
      {(texts || ['…']).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
