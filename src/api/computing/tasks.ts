// All that the API has computed in worker threads, each of one argument. What is imported here is
// loaded by every thread; nothing of it may open anything.
import { calendarFile } from '../calendars/render.ts';
import { yearsCovered, yearsWarnings } from '../coverage/covered.ts';
import { previewed } from '../coverage/previewed.ts';
import { readLargeBody } from '../http/large-body.ts';
import {
  followingShifts,
  listedShifts,
  pageOfShifts,
  shiftsOfPerson,
} from '../oncall/computed-shifts.ts';
import { tested } from '../rules/tested.ts';
import { replayed } from '../what-if/replayed.ts';
import { simulated } from '../what-if/simulated.ts';
import { apart, apartAsBytes, apartAsText } from './apart.ts';

export const coverage = apartAsText(yearsCovered);
export const coverageWarnings = apart(yearsWarnings);
export const preview = apartAsText(previewed);
export const shifts = apartAsText(listedShifts);
export const nextShifts = apart(followingShifts);
export const personShifts = apart(shiftsOfPerson);
export const page = apart(pageOfShifts);
export const calendar = apart(calendarFile);
export const body = apartAsBytes(readLargeBody);
export const ruleTest = apartAsText(tested);
export const simulation = apart(simulated);
export const replay = apart(replayed);
