// A command that sends a first alert in a tool's own format, to try an integration without the tool.
import type { Guide, Json } from './alert.ts';
import bodies from './first-events.json' with { type: 'json' };

/** A text is a form. */
const firstEvents: Readonly<Record<string, Json>> = bodies;

/** None where a text of the guide already is such a command. */
export function firstEventOf({
  slug,
  guide,
}: {
  readonly slug: string;
  readonly guide: Guide;
}): NonNullable<Guide['snippets']> {
  if (slug === 'email') return [{ file: 'test-event.sh', text: `${warning}\n${mailCommand}` }];
  const body = firstEvents[slug];
  const isShown = guide.snippets?.some(({ text }) => text.startsWith('curl '));
  if (body === undefined || isShown) return [];
  return [{ file: 'test-event.sh', text: `${warning}\n${commandFor(body)}` }];
}

const warning = '# Opens an incident and pages people. Resolve it afterwards.';

/** By the mail server of this machine; curl reads the message from its input. */
const mailCommand = `curl smtp://localhost --crlf --mail-from you@example.com --mail-rcpt '{email}' -T - <<'END'
From: you@example.com
To: {email}
Subject: Disk full on db-1

The disk is 98 % full.
END`;

function commandFor(body: Json): string {
  const [type, text] =
    typeof body === 'string'
      ? ['application/x-www-form-urlencoded', body]
      : ['application/json', JSON.stringify(body, null, 2)];
  return `curl -X POST '{url}' -H 'content-type: ${type}' -d ${quoted(text)}`;
}

/** As one word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
