// How a value inside the details of an alert is named: `details.` and its path, as `details.labels.host`.

export const detailsPrefix = 'details.';

/** The path; null: the name is that of something else. */
export const detailPathIn = (name: string): string | null =>
  name.startsWith(detailsPrefix) ? name.slice(detailsPrefix.length) : null;
