import { relative, resolve } from 'node:path'
import type { Expression } from './find-expressions.ts'

const root = resolve(import.meta.dirname, '../..')

/** Runs `work` and returns every expression that the source builds from text meanwhile. */
export async function builtDuring(work: () => Promise<void>): Promise<readonly Expression[]> {
  const built: Expression[] = []
  const native = globalThis.RegExp
  const record = (expression: RegExp): RegExp => {
    const file = callerOf(new Error().stack ?? '')
    if (file !== undefined) built.push({ file, source: expression.source, flags: expression.flags })
    return expression
  }
  globalThis.RegExp = new Proxy(native, {
    construct: (target, args) => record(Reflect.construct(target, args)),
    apply: (target, self, args) => record(Reflect.apply(target, self, args)),
  })
  try {
    await work()
  } finally {
    globalThis.RegExp = native
  }
  return built
}

/** The file of the source that called, if one did: that of the third line, after this module's two. */
function callerOf(stack: string): string | undefined {
  const lines = stack.split('\n').slice(1)
  const outside = lines.find((line) => !line.includes('built-expressions'))
  const path = outside?.match(/(?:\(|at )(?:async )?(?:file:\/\/)?(\/[^()]*?|[A-Z]:[^()]*?):\d+:\d+\)?$/)?.[1]
  if (path === undefined) return undefined
  const file = relative(root, path).replaceAll('\\', '/')
  return file.startsWith('src/') ? file : undefined
}
