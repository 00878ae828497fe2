import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { type TriedEvent, valueIn } from './trial.ts';
import { words } from './words.ts';

/** What the fields know of the events that are marked. */
export type Marked = {
  readonly firing: TriedEvent | undefined;
  readonly recovered: TriedEvent | undefined;
  /** The id of the list of places to choose from. */
  readonly listId: string;
};

type PlaceFieldsProps = {
  /** Of the list in the mapping, as the API names it. */
  path: string;
  label: string;
  help: string;
  places: readonly string[];
  onChange: (places: readonly string[]) => void;
  marked: Marked;
  /** It says whether what it names holds, and not what stands there. */
  isCondition?: boolean;
};

/** One field at least; of several each can be removed. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { path, label, help, places, onChange, marked, isCondition = false } = props;
  const shown = places.length === 0 ? [''] : places;
  return shown.map((place, index) => {
    const at = `${path}[${index}]`;
    const name = index === 0 ? label : words.another(label, index + 1);
    return (
      <div key={at} className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">
          <TextField
            path={shown.length === 1 ? path : at}
            isList={shown.length === 1}
            label={name}
            help={
              place.trim() === '' || isCondition ? (
                help
              ) : (
                <PlaceValue at={at} place={place} marked={marked} />
              )
            }
            list={marked.listId}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={place}
            onChange={(typed) => onChange(shown.with(index, typed))}
          />
        </div>
        {shown.length > 1 && (
          <IconButton
            icon="x"
            label={words.remove(name)}
            className="mt-6"
            onClick={() => onChange(shown.toSpliced(index, 1))}
          />
        )}
      </div>
    );
  });
}

type PlaceValueProps = { at: string; place: string; marked: Marked };

/** Of both events where they differ, such as a state. */
function PlaceValue({ at, place, marked: { firing, recovered } }: PlaceValueProps) {
  const [one, other] = [firing, recovered].map((event) => valueIn(event, { at, place }));
  const value = one === undefined ? other : one;
  if (value === undefined) return words.notTried;
  if (one === undefined || other === undefined || one === other)
    return <Value label={words.value} value={value} />;
  return (
    <>
      <Value label={words.whenFiring} value={one} />{' '}
      <Value label={words.whenRecovered} value={other} />
    </>
  );
}

const LONGEST = 80;

const Value = ({ label, value }: { label: string; value: string | null }) => (
  <span className="wrap-anywhere">
    {label}{' '}
    {value === null ? (
      words.nothingThere
    ) : (
      <bdi className="text-ink">{value.slice(0, LONGEST)}</bdi>
    )}
  </span>
);
