import { useEffect, useState } from 'react';
import type { Failure } from '../../../client/answer.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Saved } from '../../ui/saved.tsx';
import { Warnings } from '../../ui/warnings.tsx';
import { WriteButton } from '../../ui/write-button.tsx';
import { FormFields } from './form-fields.tsx';
import { JsonField, useJson } from './json-field.tsx';
import { cleaned, type Mapping } from './mapping.ts';
import type { Marked } from './place-field.tsx';
import { mappingPath, type useTry } from './queries.ts';
import type { Draft } from './use-draft.ts';
import { words } from './words.ts';

type MappingFormProps = {
  id: string;
  mapping: Mapping;
  draft: Draft;
  marked: Marked;
  trying: ReturnType<typeof useTry>;
  body: string;
  onBody: (body: string) => void;
  /** `body`: on it, in place of the last events. */
  onTry: (forms: Mapping['forms'], body?: string) => void;
  onSaved: () => void;
};

export function MappingForm({ id, mapping, draft, marked, trying, body, ...on }: MappingFormProps) {
  const { forms, setForms, isTouched, isSaved, isOvertaken } = draft;
  const hasMapping = mapping.forms.length > 0;
  const saving = useWrite(['integrations', id]);
  const json = useJson(forms, setForms);
  const [unread, setUnread] = useState<Failure | null>(null);
  const isBroken = json.unsendable !== null;
  const { text } = json;
  useEffect(() => {
    if (text !== '') setUnread(null);
  }, [text]);
  /** What is sent is what is shown, so that problems are shown at their fields. */
  function ready(): Mapping['forms'] | null {
    setUnread(json.unsendable);
    if (isBroken) return null;
    const sent = cleaned(forms);
    setForms(sent);
    trying.forget();
    saving.forget();
    return sent;
  }
  async function save() {
    const sent = ready();
    if (sent === null) return;
    const path = mappingPath(id);
    const answer = await saving.send({
      method: 'PUT',
      path,
      body: { forms: sent },
      name: words.save,
    });
    // What this version of the API answers, as docs/openapi.json has it.
    if (answer === null) return;
    draft.saved(answer as unknown as Mapping, sent);
    on.onSaved();
  }
  function tryOut(onBody?: string) {
    const sent = trying.isPending || saving.isPending ? null : ready();
    if (sent !== null) on.onTry(sent, onBody);
  }
  function toggle() {
    if (json.isOpen && json.unshowable) setUnread(json.unshowable);
    else json.toggle();
  }
  function discard() {
    if (saving.isPending) return;
    draft.discard();
    json.discard();
    trying.forget();
    saving.forget();
  }
  return (
    <div className="flex flex-col gap-4">
      <Form
        save={words.save}
        isPending={saving.isPending}
        failure={unread ?? saving.failure ?? trying.failure}
        isTouched={isTouched || isBroken}
        onSave={() => void save()}
      >
        <p className="text-pretty text-ink2">{hasMapping ? words.some : words.none}</p>
        <Warnings warnings={isOvertaken ? [words.overtaken] : []} />
        {json.isOpen ? (
          <JsonField json={json} />
        ) : (
          <FormFields forms={forms} marked={marked} mayEdit onChange={setForms} />
        )}
        <div className="flex flex-wrap gap-2">
          <WriteButton aria-disabled={trying.isPending} onClick={() => tryOut()}>
            {trying.isPending ? words.trying : words.try}
          </WriteButton>
          <Button icon="pencil" onClick={toggle}>
            {json.isOpen ? words.asFields : words.asJson}
          </Button>
          <Button
            aria-disabled={!isTouched && !isBroken}
            className="aria-disabled:opacity-50"
            onClick={discard}
          >
            {words.discard}
          </Button>
        </div>
        <Saved isSaved={isSaved && !isBroken} />
      </Form>
      <div className="flex max-w-md flex-col items-stretch gap-2">
        {/* Outside the form: nobody is held back for a body that is only tried. */}
        <TextArea
          path="body"
          label={words.body}
          help={words.bodyHelp}
          value={body}
          onChange={on.onBody}
        />
        <WriteButton
          aria-disabled={trying.isPending || body.trim() === ''}
          className="self-start aria-disabled:opacity-50"
          onClick={() => body.trim() !== '' && tryOut(body)}
        >
          {trying.isPending ? words.trying : words.tryBody}
        </WriteButton>
      </div>
      <Remove
        id={id}
        hasMapping={hasMapping}
        onRemoved={(answer) => {
          draft.removed(answer);
          on.onSaved();
        }}
      />
    </div>
  );
}

type RemoveProps = { id: string; hasMapping: boolean; onRemoved: Draft['removed'] };

/** Its button stays, with the focus. */
function Remove({ id, hasMapping, onRemoved }: RemoveProps) {
  const [isOpen, setOpen] = useState(false);
  const writing = useWrite(['integrations', id]);
  async function remove() {
    const path = mappingPath(id);
    const answer = await writing.send({ method: 'DELETE', path, name: words.removeMapping });
    if (answer === null) return;
    setOpen(false);
    onRemoved(answer as unknown as Mapping);
  }
  return (
    <>
      <Button
        kind="danger"
        aria-disabled={!hasMapping}
        className="self-start aria-disabled:opacity-50"
        onClick={() => hasMapping && setOpen(true)}
      >
        {words.removeMapping}
      </Button>
      {isOpen && (
        <Confirm
          title={words.removeTitle}
          text={words.removeText}
          action={words.removeMapping}
          writing={writing}
          onConfirm={() => void remove()}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
