// Parts of a record that nobody knows yet, by their paths, such as `steps[0].targets[1]`.

/** Whether something at that path may yet be anything: it is within an unknown part, or has one. */
export type MayBe = (path: string) => boolean;

export function unknownIn(paths: readonly string[]): MayBe {
  const unknown = new Set(paths);
  const around = new Set(paths.flatMap(pathsTo));
  return (path) => around.has(path) || pathsTo(path).some((each) => unknown.has(each));
}

/** The path, those of all that it is in, and that of the whole record. */
function pathsTo(path: string): readonly string[] {
  const paths: string[] = [];
  for (let rest = path; rest !== ''; rest = parentOf(rest)) paths.push(rest);
  return [...paths, ''];
}

/** Of the object or the list that it is in. */
export function parentOf(path: string): string {
  const end = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return path.slice(0, Math.max(end, 0));
}
