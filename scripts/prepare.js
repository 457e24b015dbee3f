// Builds dist/ after an install that has the compiler, so that `npx verso` works at once; an install for production has no compiler and ships its dist/.
import { existsSync } from 'node:fs'

const exists = (path) => existsSync(new URL(`../${path}`, import.meta.url))
if (exists('node_modules/typescript') && exists('src')) await import('./build.js')
