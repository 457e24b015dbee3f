import { accessFaults } from './access-faults.ts'
import { backupFaults } from './backup-faults.ts'
import { deliveryFaults } from './delivery-faults.ts'
import { diskFaults } from './disk-faults.ts'
import type { Fault } from './fault.ts'
import { httpFaults } from './http-faults.ts'
import { limitsFaults } from './limits-faults.ts'
import { loopFaults } from './loop-faults.ts'
import { wordsFaults } from './words-faults.ts'

/** Every fault that is planted, by the part of the program that it breaks. */
export const allFaults: readonly Fault[] = [
  ...accessFaults,
  ...backupFaults,
  ...deliveryFaults,
  ...diskFaults,
  ...httpFaults,
  ...limitsFaults,
  ...loopFaults,
  ...wordsFaults,
]
