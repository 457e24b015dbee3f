import type { Fault } from './fault.ts'

export const limitsFaults: readonly Fault[] = []
