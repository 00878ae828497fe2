import { useState } from 'react';
import { areKeysOn, setKeysOn } from '../shell/key-choice.ts';
import { popupWords } from '../shell/popup-words.ts';
import { setTheme, type Theme, themeNow, themes } from '../shell/theme.ts';
import { CheckField, SelectField } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';
import { words } from './words.ts';

/** Of this browser: nothing of it is stored on the server. */
export function DisplaySection() {
  const [theme, chooseTheme] = useState<Theme>(themeNow);
  const [areOn, setOn] = useState(areKeysOn);
  return (
    <Section title={words.display}>
      <div className="flex max-w-md flex-col gap-4">
        <SelectField
          path="theme"
          label={words.theme}
          value={theme}
          options={themes.map((one) => ({ value: one, text: popupWords.themes[one] }))}
          onChange={(value) => {
            // Of the options above.
            chooseTheme(value as Theme);
            setTheme(value as Theme);
          }}
        />
        <CheckField
          path="keys"
          label={words.singleKeys}
          help={words.singleKeysHelp}
          isChecked={areOn}
          onChange={(next) => {
            setOn(next);
            setKeysOn(next);
          }}
        />
      </div>
    </Section>
  );
}
