import { visibleText } from '../../resources/visible-text.ts';
import { partsOf } from './instants.ts';
import { Moment } from './moment.tsx';

/** What the API says, with its times as the reader's. */
export const Sentence = ({ text }: { text: string }) => (
  <bdi>
    {partsOf(text).map((part, index) =>
      'at' in part ? <Moment key={index} at={part.at} /> : visibleText(part.text),
    )}
  </bdi>
);
