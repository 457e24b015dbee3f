// Builds dist/ after an install with the compiler, so that `npx verso` works at once. A production install has no compiler and brings its dist/.
import { existsSync } from 'node:fs'

const exists = (path) => existsSync(new URL(`../${path}`, import.meta.url))
if (exists('node_modules/typescript') && exists('src')) await import('./build.js')
