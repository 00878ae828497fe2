// All computations that the API runs in worker threads, each with one argument. Every thread loads
// what is imported here; nothing of it may open files or connections.

import { effectsOf } from '../../what-if/change-preview.ts';
import { warningsOfYears } from '../../what-if/coverage.ts';
import { effectsOfDeactivation } from '../../what-if/deactivation.ts';
import { effectsOfOverrides } from '../../what-if/override-preview.ts';
import { lowerPriority } from '../../workers/lower-priority.ts';
import { readLargeBody } from '../http/large-body.ts';
import { readChanges } from '../incidents/changes-task.ts';
import { runMappingSuggestion } from '../integrations/mapping-suggest-task.ts';
import { runMappingTrial } from '../integrations/mapping-try-task.ts';
import { calendarFile } from '../oncall/calendar-file.ts';
import { followingShifts, listedShifts, shiftsOfPerson } from '../oncall/computed-shifts.ts';
import { coverageOfYears } from '../oncall/coverage-task.ts';
import { timelineOfSchedule, timelines } from '../oncall/timeline-task.ts';
import { runReplay } from '../what-if/replay-task.ts';
import { runRuleTest } from '../what-if/rule-test-task.ts';
import { runPreview } from '../what-if/schedule-preview-task.ts';
import { runSimulation } from '../what-if/simulation-task.ts';
import { asBytesTask, asTask, asTextTask } from './task.ts';

lowerPriority();

export const coverage = asTextTask(coverageOfYears);
export const coverageWarnings = asTask(warningsOfYears);
export const changePreview = asTask(effectsOf);
export const deactivation = asTask(effectsOfDeactivation);
export const preview = asTextTask(runPreview);
export const overrideEffects = asTask(effectsOfOverrides);
export const scheduleTimeline = asTask(timelineOfSchedule);
export const scheduleTimelines = asTask(timelines);
export const shifts = asTextTask(listedShifts);
export const nextShifts = asTask(followingShifts);
export const personShifts = asTask(shiftsOfPerson);
export const calendar = asTask(calendarFile);
export const body = asBytesTask(readLargeBody);
export const changes = asTask(readChanges);
export const mappingTrial = asTextTask(runMappingTrial);
export const mappingSuggestion = asTask(runMappingSuggestion);
export const ruleTest = asTextTask(runRuleTest);
export const simulation = asTask(runSimulation);
export const replay = asTask(runReplay);
