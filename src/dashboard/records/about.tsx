import type { RecordKind } from './record.ts';

/** Above the fields: what the record alone does not do. */
export const About = ({ kind }: { kind: RecordKind }) =>
  kind.words.about && <p className="text-pretty text-ink2">{kind.words.about}</p>;
