import type { Findings } from './matrix.ts'
import { publicOperations } from './operations.ts'
import { absentLike, type RefKind, type TwoProjectFixtures, tracesOf } from './project-fixtures.ts'
import { told } from './wire.ts'

const kinds = ['tags', 'categories', 'authors'] as const satisfies readonly RefKind[]

/** Asks for the feeds of a project by the names of another: the answer is that to a name that nothing has. */
export async function askFeeds({ wire, own, other }: TwoProjectFixtures, findings: Findings): Promise<void> {
  const absent = absentLike(other.names)
  const ask = async (method: string, path: string) => {
    const answer = await wire({ method, path, key: null, headers: { 'x-request-id': 'same' } })
    findings.cells++
    const crossed = tracesOf(other, told(answer)).filter((trace) => !path.includes(trace))
    if (crossed.length > 0) findings.crossings.push(`${method} ${path} told ${crossed}`)
    if (answer.status >= 500) findings.crossings.push(`${method} ${path}: ${answer.status}`)
    return answer
  }
  for (const { path } of publicOperations) {
    const at = (subject: string, name: string) =>
      path.replace('{project}', 'own').replace('{subject}', subject).replace('{idOrSlug}', encodeURIComponent(name))
    for (const subject of path.includes('{subject}') ? kinds : [undefined]) {
      const mine = await ask('GET', at(subject ?? '', (subject && own.names[subject][0]) ?? ''))
      if (mine.status < 400) findings.ownAnswered++
      else findings.differing.push(`GET ${path} of ${subject}: ${mine.status}`)
      if (subject === undefined) continue
      for (const [i, name] of other.names[subject].entries())
        for (const method of ['GET', 'HEAD']) {
          const nobody = absent[subject][i] ?? ''
          const [foreign, none] = [await ask(method, at(subject, name)), await ask(method, at(subject, nobody))]
          const [one, two] = [told(foreign).replaceAll(name, '…'), told(none).replaceAll(nobody, '…')]
          if (one !== two) findings.differing.push(`${method} ${at(subject, name)}\n${one}\n---\n${two}`)
        }
    }
  }
}
