import type { ProviderFunction } from './provider-function.ts';
import { weeklyWindows } from './weekly-windows.ts';

export const providerFunctions: readonly ProviderFunction[] = [weeklyWindows];
