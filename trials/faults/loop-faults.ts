import type { Fault } from './fault.ts'

export const loopFaults: readonly Fault[] = []
