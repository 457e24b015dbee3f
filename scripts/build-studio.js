// Builds dist/studio: scripts in chunks, one style sheet, the page, and `files.json`, which lists them (docs/decisions/0061-the-studio.md).
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url))
const target = path('dist/studio')

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** Shorter files fit into a packet or two. */
const minEncodedBytes = 1_024

export async function buildStudio() {
  await mkdir(`${target}/assets`, { recursive: true })
  const { script, imports } = await bundle()
  const icon = await writeHashed('icon', '.svg', await readFile(path('studio/icon.svg')))
  const style = await writeHashed('studio', '.css', await styleSheet())
  const preview = await writeHashed('preview', '.css', shortened(await readFile(path('studio/styles/preview.css'), 'utf8')))
  const page = await readFile(path('studio/index.html'), 'utf8')
  // The browser asks for all that the script imports at once, and not after it has read the script.
  const preload = imports.map((name) => `<link rel="modulepreload" href="${name}">`).join('\n')
  const names = { script, style, icon, preview, preload }
  await writeFile(
    `${target}/index.html`,
    page.replace(/%(\w+)%/g, (_, name) => names[name]),
  )
  const built = ['index.html', ...(await readdir(`${target}/assets`)).map((name) => `assets/${name}`)]
  const files = Object.fromEntries(await Promise.all(built.sort().map(async (name) => [name, await describe(name)])))
  await writeFile(`${target}/files.json`, JSON.stringify(files))
}

/** The entry, and what it imports at once; a screen is a chunk of its own, because it is imported when it is opened. */
async function bundle() {
  const { rolldown } = await import('rolldown')
  const made = await rolldown({
    input: { studio: path('studio/main.tsx') },
    platform: 'browser',
    tsconfig: path('studio/tsconfig.json'),
    transform: { target: 'es2022' },
    logLevel: 'warn',
  })
  const { output } = await made.write({
    dir: target,
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    // What nearly every screen needs is one file: a browser asks for many one after the other.
    codeSplitting: {
      groups: [{ name: 'shared', test: /studio[\\/](?:api|i18n[\\/]catalogue|route|ui|screens[\\/]posts)|preact|packages[\\/]client/ }],
    },
    minify: true,
  })
  await made.close()
  const { fileName: script, imports } = output.find(({ isEntry }) => isEntry)
  return { script, imports }
}

/** Every style sheet in one: the tokens first, then what all screens share, then the screens. */
async function styleSheet() {
  const all = (await readdir(path('studio'), { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.css') && name !== 'styles/preview.css')
  const rank = (name) => (name === 'styles/tokens.css' ? 0 : name.startsWith('styles/') ? 1 : 2)
  const sorted = all.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  const texts = await Promise.all(sorted.map((name) => readFile(path(`studio/${name}`), 'utf8')))
  return shortened(texts.join('\n'))
}

/** Without comments and indentation. */
function shortened(css) {
  const [first, ...commented] = css.split('/*')
  const text = first + commented.map((part) => part.slice(part.indexOf('*/') + 2)).join('')
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}

async function writeHashed(name, ending, content) {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const file = `assets/${name}-${hash}${ending}`
  await writeFile(`${target}/${file}`, content)
  return file
}

/** What the server has to know of a file. Its codings are written beside it, as small as they get. */
async function describe(name) {
  const bytes = await readFile(`${target}/${name}`)
  const codings = name.startsWith('assets/') && bytes.length >= minEncodedBytes ? ['br', 'gzip'] : []
  if (codings.length > 0) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeFile(`${target}/${name}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${target}/${name}.gzip`, await promisify(gzip)(bytes, { level: 9 }))
  }
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { type: `${types[extname(name)]}; charset=utf-8`, hash, codings }
}
