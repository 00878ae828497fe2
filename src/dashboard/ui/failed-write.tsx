import { type Failure, failureText, issuesText } from '../../client/answer.ts';

/** Of an action without a form: the API's own sentence, with what it says is wrong. */
export const FailedWrite = ({ failure }: { failure: Failure | null }) =>
  failure && (
    <p role="alert" className="mt-2 font-medium first:mt-0 text-pretty text-red">
      {failureText(failure)} {issuesText(failure)}
    </p>
  );
