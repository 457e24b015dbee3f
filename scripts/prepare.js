// Builds dist/ unless it is newer than everything that it is built from: after an install, before `npm start`, and when `npx verso` links this
// package. A production install has no compiler and brings its dist/.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))
const time = (file) => statSync(path(file)).mtimeMs

if (existsSync(path('node_modules/typescript')) && existsSync(path('src')) && !isFresh()) await import('./build.js')

/** Folders count too: their time is that of the last file that was added, renamed or removed. */
function isFresh() {
  if (!existsSync(path('dist/built'))) return false
  const packages = existsSync(path('packages')) ? readdirSync(path('packages')).map((name) => `packages/${name}/src`) : []
  const folders = ['src', 'studio', 'scripts', ...packages].filter((folder) => existsSync(path(folder)))
  const inside = folders.flatMap((folder) => [folder, ...readdirSync(path(folder), { recursive: true }).map((name) => `${folder}/${name}`)])
  const sources = [...inside, 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].filter((file) =>
    existsSync(path(file)),
  )
  return sources.every((file) => time(file) <= time('dist/built'))
}
