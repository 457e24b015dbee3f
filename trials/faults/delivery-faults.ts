import type { Fault } from './fault.ts'

export const deliveryFaults: readonly Fault[] = []
