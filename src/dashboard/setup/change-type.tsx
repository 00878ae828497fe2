import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import type { Fact } from './attention.ts';

type Misread = Extract<Fact, { readonly type: 'integration_misread' }>;

/** Here, because the list itself loads all words of the strip. */
const toType = (tool: string) => `Change type to ${tool}`;

/** Has the integration read what its tool sends. */
export function ChangeType({ fact: { integration, likely_type } }: { fact: Misread }) {
  const { send, isPending, failure } = useWrite(['attention'], ['integrations']);
  const path = `/integrations/${integration.id}`;
  return (
    <div className="flex shrink-0 flex-col items-end gap-1">
      <Button
        aria-disabled={isPending}
        onClick={() =>
          !isPending && void send({ method: 'PATCH', path, body: { slug: likely_type.slug } })
        }
      >
        {toType(likely_type.name)}
      </Button>
      <FailedWrite failure={failure} />
    </div>
  );
}
