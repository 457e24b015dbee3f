import type { Fault } from './fault.ts'

export const wordsFaults: readonly Fault[] = []
