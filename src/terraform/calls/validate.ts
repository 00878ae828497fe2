import { problemsOf, unknownZones } from '../checks.ts';
import { errorDiagnostic, problemSaid, warningDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import { type Answered, type Asked, received } from './dynamic-value.ts';

export function validateResource({
  type_name,
  config: sent,
}: Asked<'ValidateResourceConfig'>): Answered<'ValidateResourceConfig'> {
  const { resource, type } = managedAs(type_name);
  const config = received(type, sent);
  return {
    diagnostics: [
      ...problemsOf(resource, config).map((each) => errorDiagnostic(problemSaid(each))),
      ...unknownZones(resource, config).map((each) =>
        warningDiagnostic({ ...problemSaid(each), summary: 'Unknown time zone' }),
      ),
    ],
  };
}
