import type { Fault } from './fault.ts'

/** Every fault that is planted, by the part of the program that it breaks. */
export const allFaults: readonly Fault[] = []
