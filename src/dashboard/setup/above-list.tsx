// Above the list of incidents, and loaded after it: what is left to set up, and what needs attention.
import { AttentionStrip } from './attention-strip.tsx';
import { Checklist } from './checklist.tsx';

export const AboveList = () => (
  <>
    <AttentionStrip />
    <Checklist />
  </>
);
