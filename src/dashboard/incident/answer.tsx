import { Sentence } from '../ui/sentence.tsx';
import { factOf, toYou, type Why } from './incident.ts';

/** The fact, and below it the reason. */
export function Answer({ why: { answer, user }, isOwn }: { why: Why; isOwn: boolean }) {
  const { fact, reason } = isOwn ? toYou(answer, user.name) : factOf(answer);
  return (
    <p className="text-pretty text-ink2">
      <span className="block font-bold text-ink">
        <Sentence text={fact} />
      </span>
      <Sentence text={reason} />
    </p>
  );
}
