import type { Fault } from './fault.ts'

export const accessFaults: readonly Fault[] = []
