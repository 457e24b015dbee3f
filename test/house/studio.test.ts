import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

/** The laws of `studio/` (docs/decisions/0061-the-studio.md). */
const root = resolve(import.meta.dirname, '../../studio')

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(tsx?|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const sources = files.filter(({ path }) => !path.endsWith('.css'))
const linesOf = (text: string) => text.trimEnd().split('\n').length

/** The parts of the studio: what a part imports stands to its right, and a screen imports no other screen. */
const floors = ['main.tsx', 'shell', 'screens', 'ui', 'route', 'api', 'i18n']
const floorOf = (path: string) => floors.indexOf(path.split('/')[0] ?? '')

const importsOf = ({ path, text }: (typeof files)[number]) =>
  [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)].map((match) =>
    relative(root, resolve(root, dirname(path), match[1] ?? match[2] ?? '')).replaceAll('\\', '/'),
  )

it('at most 300 lines a file, 15 files a folder, 6,700 lines in all', () => {
  expect(files.filter(({ text }) => linesOf(text) > 300).map(({ path }) => path)).toEqual([])
  const folders = files.map(({ path }) => dirname(path))
  expect(folders.filter((folder) => folders.filter((each) => each === folder).length > 15)).toEqual([])
  expect(files.reduce((sum, { text }) => sum + linesOf(text), 0)).toBeLessThanOrEqual(6_700)
})

it('a part imports only from parts below it, and no screen another', () => {
  const edges = sources.flatMap((source) => importsOf(source).map((name) => ({ from: source.path, to: name })))
  expect(sources.length).toBeGreaterThan(0)
  const screenOf = (path: string) => /^screens\/[^/]+/.exec(path)?.[0]
  const broken = edges.filter(
    ({ from, to }) => floorOf(to) < floorOf(from) || (screenOf(from) && screenOf(to) && screenOf(from) !== screenOf(to)),
  )
  expect(broken).toEqual([])
})

it('nothing inserts HTML, writes inline styles, or asks the network outside api/', () => {
  const inserting = /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/
  expect(sources.filter(({ text }) => inserting.test(text)).map(({ path }) => path)).toEqual([])
  expect(sources.filter(({ text }) => /\bstyle="|setAttribute\('style'/.test(text)).map(({ path }) => path)).toEqual([])
  const asking = /\bfetch\(|XMLHttpRequest|new WebSocket|new EventSource|sendBeacon/
  expect(sources.filter(({ path, text }) => !path.startsWith('api/') && asking.test(text)).map(({ path }) => path)).toEqual([])
})

it('colours stand in the tokens alone', () => {
  const coloured = files.filter(
    ({ path, text }) =>
      !/^styles\/(?:tokens|preview)\.css$/.test(path) && /#[0-9a-f]{3,8}\b(?=[^'"]*;)|\brgba?\(|\bhsla?\(|\boklch\(/i.test(text),
  )
  expect(coloured.map(({ path }) => path)).toEqual([])
})

it('every language has every message, with the same values in it', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(root, 'i18n', name), 'utf8')) as Record<string, Record<string, unknown>>
  const valuesOf = (catalogue: Record<string, Record<string, unknown>>) =>
    Object.entries(catalogue).flatMap(([section, messages]) =>
      Object.entries(messages).map(([name, message]) => {
        const values = new Set(JSON.stringify(message).match(/\{\w+\}/g))
        return `${section}.${name} ${[...values].sort().join(' ')}`
      }),
    )
  const languages = readdirSync(join(root, 'i18n')).filter((name) => name.endsWith('.json'))
  expect(languages).toContain('de.json')
  for (const name of languages) expect(valuesOf(read(name)), name).toEqual(valuesOf(read('en.json')))
})

it('every message is shown somewhere', () => {
  const all = sources.map(({ text }) => text).join('\n')
  const catalogue = JSON.parse(readFileSync(join(root, 'i18n/en.json'), 'utf8')) as Record<string, Record<string, unknown>>
  const names = Object.entries(catalogue).flatMap(([section, messages]) => Object.keys(messages).map((name) => `${section}.${name}`))
  // A name may end in a value, as in `t(`roles.${role}`)`.
  const isShown = (name: string) =>
    all.includes(`'${name}'`) || [...name.matchAll(/[._]/g)].some(({ index }) => all.includes(`\`${name.slice(0, index + 1)}\${`))
  expect(names.filter((name) => !isShown(name))).toEqual([])
})
