import { Icon } from '../ui/icon.tsx';
import { words } from './words.ts';

/** Where the token of a bot comes from. */
export const TokenSteps = () => (
  <section aria-label={words.steps} className="rounded-md bg-sunken px-3 py-2 text-sm">
    <ol className="flex list-decimal flex-col gap-1 ps-5">
      <li>
        <a
          href="https://t.me/BotFather"
          target="_blank"
          rel="noreferrer"
          className="inline-flex items-baseline gap-1 underline"
        >
          {words.openBotFather}
          <Icon name="external-link" className="size-3.5" />
        </a>
      </li>
      <li className="text-pretty">{words.sendNewBot}</li>
      <li className="text-pretty">{words.copyToken}</li>
    </ol>
    <p className="mt-2 font-medium text-pretty">{words.alone}</p>
  </section>
);
