// What the addresses of rules say besides their path; in the entry, so small.
import { type RecordSearch, recordSearch } from '../records/search.ts';

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{24}$/.test(value) ? value : undefined;

/** An event of the log, which a rule is tried on. */
export type RuleSearch = RecordSearch & { readonly event?: string };

export function ruleSearch(search: Record<string, unknown>): RuleSearch {
  const event = idOf(search['event']);
  return { ...recordSearch(search), ...(event && { event }) };
}

/** What a new rule begins with: a template, the event that it is for, or an integration and a title. */
export type NewRuleSearch = {
  readonly template?: string;
  readonly event?: string;
  readonly integration?: string;
  readonly title?: string;
};

export function newRuleSearch(search: Record<string, unknown>): NewRuleSearch {
  const { template, title } = search;
  const [event, integration] = [idOf(search['event']), idOf(search['integration'])];
  return {
    ...(typeof template === 'string' && { template }),
    ...(event && { event }),
    ...(integration && { integration }),
    ...(title !== undefined && { title: String(title) }),
  };
}
