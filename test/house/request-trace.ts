import { Session } from 'node:inspector/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '../../src')

/** The files under `src/` that have a function which is called while the work is done, in the order of their paths. */
export async function filesCalledBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    // Taking the counts sets them back to zero.
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0))
      .map(({ url }) => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url).replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !path.startsWith('..'))
      .sort()
  } finally {
    session.disconnect()
  }
}

/** The files of a request, as documented. */
export interface DocumentedWay {
  /** In the order in which one reads them. */
  readonly main: readonly string[]
  /** The files that these use. */
  readonly also: readonly string[]
}

/**
 * Reads the section under `### <request>`: the numbered list whose items begin with a path, and every path after the words "Also called".
 * `values/{ids,instant}.ts` is two paths.
 */
export function documentedWay(document: string, request: string): DocumentedWay {
  const sections = document.split(/^#{1,3} /m)
  const section = sections.find((each) => each.split('\n')[0]?.replaceAll('`', '').trim() === request) ?? ''
  const [list = '', also = ''] = section.split('Also called')
  return { main: pathsIn(list, /^\d+\. `([^`]+)`/gm), also: pathsIn(also, /`([^`]+\.ts)`/g) }
}

function pathsIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, path = '']) => {
    const [, before = path, names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
    return names === undefined ? [path] : names.split(',').map((name) => `${before}${name.trim()}${after}`)
  })
}

/** Paths for the document, those of a folder together. */
export function pathsText(paths: readonly string[]): string {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)
  const texts = [...new Set(paths.map(folderOf))].map((folder) => {
    const names = paths.filter((path) => folderOf(path) === folder).map((path) => path.slice(folder.length, -'.ts'.length))
    return names.length === 1 ? `\`${folder}${names[0]}.ts\`` : `\`${folder}{${names.join(',')}}.ts\``
  })
  return texts.join(', ')
}
