import type { Fault } from './fault.ts'

export const httpFaults: readonly Fault[] = []
