import { expect } from 'vitest'
import type { TestEngine } from '../test/harness/databases.ts'
import { askFeeds } from './access/feeds.ts'
import { type Asker, askCell, askersOf, type Draw, type Findings } from './access/matrix.ts'
import { ordinaryWrites, webhooksHear } from './access/ordinary-writes.ts'
import { findPlaces, type Place } from './access/places.ts'
import { rowsOf, startProjectFixtures, type TwoProjectFixtures } from './access/project-fixtures.ts'
import type { SeededRandom } from './harness/seeded-random.ts'
import { trial } from './harness/trial.ts'

/** The keys with which every place is tried; of the others, some. */
const always = ['all', 'public']

interface Size {
  /** How many more keys try each place. */
  readonly moreKeys: number
  /** How many names of the other project each of them tries there. */
  readonly names: number
}

trial<Size>({
  name: 'projects-are-walls',
  promise: 'No request with a key of one project shows, changes or betrays anything of another project.',
  over: 'engines',
  sizes: { test: { moreKeys: 0, names: 2 }, short: { moreKeys: 1, names: 2 }, full: { moreKeys: 100, names: 3 } },
  minutes: { short: 2, full: 10 },
  async run({ size, engine, random, figure }) {
    const fixtures = await startProjectFixtures(engine)
    const { places, unknown } = findPlaces()
    if (unknown.length > 0) throw new Error(`trials/access/places.ts does not know ${unknown}`)
    const before = await rowsOfBoth(fixtures, engine)
    const findings = await askAll(fixtures, places, { ...size, random })
    const [ownAfter] = await rowsOfBoth(fixtures, engine)
    await askFeeds(fixtures, findings)
    await ordinaryWrites(fixtures, engine, findings)
    await webhooksHear(engine, findings)
    const [, after] = await rowsOfBoth(fixtures, engine)
    expect(findings.crossings.slice(0, 20)).toEqual([])
    expect(findings.differing.slice(0, 3)).toEqual([])
    figure('crossings', findings.crossings.length, { exactly: 0 })
    figure("answers to another's name that differ from those to none", findings.differing.length, { exactly: 0 })
    figure("changes of the other project's rows", before[1] === after ? 0 : 1, { exactly: 0 })
    figure('changes by requests that were refused or tried', before[0] === ownAfter ? 0 : 1, { exactly: 0 })
    figure('cells', findings.cells)
    figure('places in requests that name something', places.length)
    figure("requests for the asker's own that were not refused", findings.ownAnswered)
  },
  controls: {
    async 'a key of the other project that passes for one of this project crosses'({ engine, random }) {
      const fixtures = await startProjectFixtures(engine)
      const { own, other } = fixtures
      const mixed = { ...fixtures, own: { ...own, keys: { all: other.keys.all ?? '' } } }
      const places = findPlaces().places.filter(({ label }) => label === 'idOrSlug')
      const { crossings, differing } = await askAll(mixed, places, { moreKeys: 0, names: 1, random })
      return Math.min(crossings.length, differing.length)
    },
    async "one post that stands in both projects' lists is seen"({ engine, random }) {
      const fixtures = await startProjectFixtures(engine)
      await fixtures.verso.app.installation.engine.write((tx) =>
        tx
          .updateTable('posts')
          .set({ excerpt: fixtures.other.mark, version: 99 })
          .where('slug', '=', `${fixtures.own.mark}-moved`)
          .execute(),
      )
      const places = findPlaces().places.filter(({ operation }) => operation.path === '/v1/posts')
      return (await askAll(fixtures, places, { moreKeys: 0, names: 1, random })).crossings.length
    },
  },
})

/** Every place with every key that the size allows. */
async function askAll(fixtures: TwoProjectFixtures, places: readonly Place[], { moreKeys, ...draw }: Size & Draw) {
  const findings: Findings = { cells: 0, ownAnswered: 0, crossings: [], differing: [] }
  const askers = askersOf(fixtures)
  fixtures.takeLog()
  for (const [i, place] of places.entries()) {
    // Every key tries one place, so that each that has ended is refused somewhere.
    const asking = i === 0 ? askers : chosen(askers, moreKeys, draw.random)
    for (const asker of asking) await askCell(fixtures, place, asker, findings, draw)
  }
  return findings
}

function chosen(askers: readonly Asker[], more: number, random: SeededRandom): readonly Asker[] {
  const others = askers.filter(({ name }) => !always.includes(name))
  const drawn = more >= others.length ? others : Array.from({ length: more }, () => random.pick(others))
  return [...askers.filter(({ name }) => always.includes(name)), ...drawn]
}

async function rowsOfBoth({ verso, own, other }: TwoProjectFixtures, engine: TestEngine): Promise<readonly [string, string]> {
  return [await rowsOf(verso, engine, own.projectId), await rowsOf(verso, engine, other.projectId)]
}
