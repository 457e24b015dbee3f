import { onTestFinished } from 'vitest'
import type { Db } from '../../src/database/engine.ts'

/** What happens around a statement, before it is run or after. */
type Interruption = { readonly before: () => unknown } | { readonly after: () => unknown }

/** Something happens before or after the first statement like this, once. */
export function interrupt(db: Pick<Db, 'executeQuery'>, pattern: RegExp, interruption: Interruption): { readonly happened: () => boolean } {
  const { executeQuery } = db
  let isDone = false
  const interrupted: Db['executeQuery'] = async function (this: Db, query) {
    const isNow = !isDone && pattern.test((query as { sql?: string }).sql ?? '')
    isDone ||= isNow
    if (isNow && 'before' in interruption) await interruption.before()
    const result = await executeQuery.call(this, query)
    if (isNow && 'after' in interruption) await interruption.after()
    return result as never
  }
  Object.assign(db, { executeQuery: interrupted })
  onTestFinished(() => void Object.assign(db, { executeQuery }))
  return { happened: () => isDone }
}
