// The names of what the API computes in worker threads. They stand alone, so that a route may name its
// computation without importing all of them.

/** Of the exports of tasks.ts. */
export type ComputationName =
  | 'coverage'
  | 'coverageWarnings'
  | 'changePreview'
  | 'deactivation'
  | 'preview'
  | 'overrideEffects'
  | 'scheduleTimeline'
  | 'scheduleTimelines'
  | 'shifts'
  | 'nextShifts'
  | 'personShifts'
  | 'calendar'
  | 'body'
  | 'changes'
  | 'mappingTrial'
  | 'mappingSuggestion'
  | 'ruleTest'
  | 'simulation'
  | 'replay';
