import { Uses, type UsesProps } from './uses.tsx';
import { words } from './words.ts';

export const UsesTab = (props: UsesProps) => (
  <div className="px-4 py-4 md:px-5">
    <Uses {...props} none={words.noUses} />
  </div>
);
