import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { type Form, hasMore, type StateRule, withChange } from './mapping.ts';
import { type Marked, PlaceFields } from './place-field.tsx';
import { words } from './words.ts';

type FormFieldsProps = {
  forms: readonly Form[];
  onChange: (forms: readonly Form[]) => void;
  marked: Marked;
  mayEdit: boolean;
};

const ofTitle = ['title', 'name', 'message'] as const;
const meanings = ['trigger', 'resolve', 'nothing'] as const;

/** Of the first form. */
export function FormFields({ forms, onChange, marked, mayEdit }: FormFieldsProps) {
  const [form = {}] = forms;
  const [key = [], ...otherKeys] = form.key ?? [];
  const { severity, when = [] } = form;
  const change = (changed: Parameters<typeof withChange>[1]) =>
    onChange(withChange(forms, changed));
  const setKey = (places: readonly string[]) => change({ key: [places, ...otherKeys] });
  const setWhen = (conditions: readonly string[]) => change({ when: conditions });
  const ofField = (name: keyof typeof words.fields) => ({
    label: words.fields[name],
    help: words.help[name],
    marked,
  });
  return (
    <>
      {ofTitle.map((name) => (
        <PlaceFields
          key={name}
          {...ofField(name)}
          path={`forms[0].${name}`}
          places={form[name] ?? []}
          onChange={(places) => change({ [name]: places })}
        />
      ))}
      <PlaceFields {...ofField('key')} path="forms[0].key[0]" places={key} onChange={setKey} />
      {mayEdit && (
        <Add text={words.addKey} onAdd={() => setKey([...(key.length === 0 ? [''] : key), ''])} />
      )}
      <StateFields form={form} change={change} marked={marked} />
      <PlaceFields
        {...ofField('severity')}
        path="forms[0].severity.at"
        places={severity?.at ?? []}
        onChange={(at) => change({ severity: { ...severity, at } })}
      />
      <PlaceFields
        {...ofField('when')}
        isCondition
        path="forms[0].when"
        places={when}
        onChange={setWhen}
      />
      {mayEdit && (
        <Add
          text={words.addCondition}
          onAdd={() => setWhen([...(when.length === 0 ? [''] : when), ''])}
        />
      )}
      {mayEdit && hasMore(forms) && <p className="text-pretty text-ink2">{words.hasMore}</p>}
    </>
  );
}

const Add = ({ text, onAdd }: { text: string; onAdd: () => void }) => (
  <Button icon="plus" className="-mt-2 self-start" onClick={onAdd}>
    {text}
  </Button>
);

type StateFieldsProps = {
  form: Form;
  change: (changed: { state: readonly StateRule[] }) => void;
  marked: Marked;
};

/** Of the first rule. */
function StateFields({ form, change, marked }: StateFieldsProps) {
  const [rule = { at: [] }, ...others] = form.state ?? [];
  const set = (changed: Partial<StateRule>) =>
    change({ state: [{ ...rule, ...changed }, ...others] });
  const helps = { trigger: words.wordsHelp, resolve: undefined, nothing: words.nothingHelp };
  return (
    <>
      <PlaceFields
        path="forms[0].state[0].at"
        label={words.fields.state}
        help={words.help.state}
        places={rule.at}
        onChange={(at) => set({ at })}
        marked={marked}
      />
      {meanings.map((meaning) => (
        <TextField
          key={meaning}
          path={`forms[0].state[0].${meaning}`}
          label={words[meaning]}
          help={helps[meaning]}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={rule[meaning] ?? ''}
          onChange={(typed) => set({ [meaning]: typed })}
        />
      ))}
    </>
  );
}
