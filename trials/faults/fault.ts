/** A mistake that a programmer could make, and the trial that must notice it. */
export interface Fault {
  readonly name: string
  readonly file: `src/${string}`
  /** The exact text, which occurs once in the file, and what stands there instead. */
  readonly replace: readonly [string, string]
  /** The name of a trial. */
  readonly caughtBy: string
  /** Of which size the trial must be to notice it: `short` where it is left out. */
  readonly size?: 'test' | 'short'
}
