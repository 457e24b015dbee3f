import type { Fault } from './fault.ts'

export const diskFaults: readonly Fault[] = []
