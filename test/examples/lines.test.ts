import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const folder = resolve(import.meta.dirname, '../../examples/astro')
const made = /(?:^|\/)(?:node_modules|dist|\.astro)(?:\/|$)/

/** The scripts of templates, and whole files of code; lines that are empty or comments do not count. */
function codeOf(file: string): string {
  const text = readFileSync(join(folder, file), 'utf8')
  return file.endsWith('.astro') ? (/^---\n([\s\S]*?)^---$/m.exec(text)?.[1] ?? '') : text
}

it('examples/astro is a whole blog in at most 60 lines of code, and its README says how many', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !made.test(file) && /\.(astro|ts|mjs|js)$/.test(file))
  expect(files).toContain('src/pages/[...page].astro')
  const lines = files.flatMap((file) => codeOf(file).split('\n')).filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`${lines.length} lines of code`)
})
