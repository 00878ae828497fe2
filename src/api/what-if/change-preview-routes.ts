// POST /preview of one change, and POST /previews of several, such as those of a Terraform plan.
import type { Static } from 'typebox';
import { Gate } from '../../admission/gate.ts';
import { computingLimits } from '../../limits/computing.ts';
import { queryLimits } from '../../limits/queries.ts';
import { anyObject, listOf, objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import type { Compute } from '../computing/computer.ts';
import { failures, invalid } from '../failures.ts';
import { errorAnswer } from '../http/error-answer.ts';
import { route } from '../people/writing.ts';
import type { WriteParts } from '../records/write.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type ChangePreviewParts, previewChange } from './change-preview.ts';
import { changePreviewBody } from './change-preview-request.ts';
import { changePreviewShape, changePreviewsShape } from './change-preview-shape.ts';
import { type PreviewReadsParts, previewReads } from './preview-reads.ts';

export type ChangePreviewRouteParts = PreviewReadsParts &
  Pick<WriteParts, 'records'> &
  Pick<ChangePreviewParts, 'hasMailServer'> & { readonly compute: Compute };

const changePreviewsBody = objectOf({
  previews: listOf(changePreviewBody, {
    doc: 'The changes, each like the body of POST /preview.',
    max: queryLimits.previewsAtOnce,
  }),
});

/** What is wrong with one of them is its own answer. */
const changesOf = objectOf({
  previews: listOf(anyObject('A change.'), {
    doc: 'The changes.',
    max: queryLimits.previewsAtOnce,
  }),
});

const common = {
  tag: 'what_if',
  writesNothing: true,
  computes: 'changePreview',
  takesTeam: true,
  takesManagedBy: true,
} as const;

export const changePreviewRoutes = (parts: ChangePreviewRouteParts): Route[] => [
  route('POST /preview', 'responder', {
    ...common,
    doc: 'Previews how saving or archiving a record, or deactivating a person, would affect people. Nothing is saved. Responders preview overrides, managers also other records, and admins also channel connections.',
    body: changePreviewBody,
    answers: { status: 200, schema: changePreviewShape },
    async handle(call) {
      const reads = previewReads(parts, call);
      return ok({ data: await previewChange({ ...parts, reads }, call) });
    },
  }),
  route('POST /previews', 'responder', {
    ...common,
    doc: 'Previews several changes, each as POST /preview does and independent of the others. Nothing is saved.',
    body: changePreviewsBody,
    answers: { status: 200, schema: changePreviewsShape },
    handle: async (call) => ok({ data: await previewAll(parts, call) }),
  }),
];

async function previewAll({ compute, ...parts }: ChangePreviewRouteParts, call: Call) {
  const read = readObject(changesOf, call.body);
  if (!read.ok) throw invalid(read.problems);
  const gate = new Gate(computingLimits.previewsComputed);
  const own: ChangePreviewParts = {
    ...parts,
    reads: previewReads(parts, call),
    compute: (...task) => gate.pass(() => compute(...task)),
  };
  // readObject checked it.
  const { previews } = read.value as Static<typeof changesOf>;
  return Promise.all(previews.map((body) => outcomeOf(own, { ...call, body })));
}

/** As POST /preview answers. What is not about the change itself fails the whole request. */
async function outcomeOf(parts: ChangePreviewParts, call: Call) {
  try {
    return { status: 200, data: await previewChange(parts, call) };
  } catch (error) {
    const { status, body } = errorAnswer(error, call.requestId);
    if (status >= 500 || status === failures.rate_limited[0]) throw error;
    return { status, error: body.error, message: body.message, issues: body.issues };
  }
}
