// Builds dist/ after an install that has the compiler, so that `npx verso` works at once; an install for production has no compiler and ships its dist/.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const compiler = new URL('../node_modules/typescript/bin/tsc', import.meta.url)
if (existsSync(compiler) && existsSync(new URL('../src', import.meta.url))) {
  const built = spawnSync(process.execPath, [compiler.pathname, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
  process.exitCode = built.status ?? 1
}
