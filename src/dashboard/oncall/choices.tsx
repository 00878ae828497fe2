type ChoicesProps<Value extends string> = {
  label: string;
  values: readonly Value[];
  text: (value: Value) => string;
  /** Null: none of them. */
  chosen: Value | null;
  choose: (value: Value) => void;
};

/** One of a few, each a press away. */
export const Choices = <Value extends string>({
  label,
  values,
  text,
  chosen,
  choose,
}: ChoicesProps<Value>) => (
  <fieldset className="flex flex-wrap gap-0.5">
    <legend className="sr-only">{label}</legend>
    {values.map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === chosen}
        onClick={() => choose(one)}
        className="min-h-9 rounded-md border border-transparent px-2.5 text-ink2 hover:text-ink aria-pressed:border-line aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-11"
      >
        {text(one)}
      </button>
    ))}
  </fieldset>
);
