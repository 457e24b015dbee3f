import type { Fault } from './fault.ts'

export const backupFaults: readonly Fault[] = []
