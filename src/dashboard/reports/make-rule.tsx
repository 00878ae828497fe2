import { Link } from '@tanstack/react-router';
import { useMay } from '../api/use-may.ts';
import { words } from './words.ts';

type MakeRuleProps = { integration: string; title?: string; name: string };

/** For alerts like these, on the integration that sends them. */
export function MakeRule({ integration, title, name }: MakeRuleProps) {
  const isAllowed = useMay('manager');
  if (!isAllowed) return null;
  return (
    <Link
      to="/alert-rules/new"
      search={({ team }) => ({
        ...(team && { team }),
        integration,
        ...(title !== undefined && { title }),
      })}
      aria-label={words.keys.ruleFor(name)}
      className="text-sm underline print:hidden"
    >
      {words.keys.rule}
    </Link>
  );
}
