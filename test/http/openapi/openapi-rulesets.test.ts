import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RulesetDefinition } from '@stoplight/spectral-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'

// These packages are CommonJS, with exports that an import does not see.
const require = createRequire(import.meta.url)
const { Document, Spectral }: typeof import('@stoplight/spectral-core') = require('@stoplight/spectral-core')
const { Json }: typeof import('@stoplight/spectral-parsers') = require('@stoplight/spectral-parsers')
const { oas }: { readonly oas: RulesetDefinition } = require('@stoplight/spectral-rulesets')
const owasp: RulesetDefinition = require('@stoplight/spectral-owasp-ruleset')

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/openapi.md'), 'utf8')
const patienceMs = 180_000

interface Finding {
  readonly rule: string
  readonly where: string
}

interface Findings {
  readonly openapi: readonly Finding[]
  readonly owasp: readonly Finding[]
}

const prefix = 'owasp:'

/** By both sets of rules at once: most of the time goes into resolving the references of the document. */
async function findingsOf(document: object): Promise<Findings> {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [oas, owasp] })
  const found = await spectral.run(new Document(JSON.stringify(document), Json, 'openapi.json'))
  const isOwasp = ({ code }: { readonly code: string | number }) => String(code).startsWith(prefix)
  const toFinding = ({ code, path }: (typeof found)[number]) => ({ rule: String(code).replace(prefix, ''), where: path.join('.') })
  return {
    openapi: found.filter((each) => !isOwasp(each)).map(toFinding),
    owasp: found.filter(isOwasp).map(toFinding),
  }
}

/** The rows of the table: a rule, and the places in which it finds something. */
function explanations(): readonly { readonly rule: string; readonly places: readonly RegExp[] }[] {
  return [...page.matchAll(/^\| `(api[^`]+)` \| ([^|]+) \|/gm)].map(([, rule = '', places = '']) => ({
    rule,
    places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => asPattern(place)),
  }))
}

function asPattern(place: string): RegExp {
  const parts = place.split('*').map((part) => part.replace(/[.{}/]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

describe('Spectral', () => {
  let found: Findings
  beforeAll(async () => {
    found = await findingsOf(describeApi())
  }, patienceMs)

  it('finds no error and no warning by its rules for OpenAPI', () => {
    expect(found.openapi).toEqual([])
  })

  it('finds by OWASP’s rules what docs/reference/openapi.md explains, and nothing else', () => {
    const rows = explanations()
    const matches = (row: (typeof rows)[number]) => (finding: Finding, place: RegExp) =>
      finding.rule === row.rule && place.test(finding.where)
    const unexplained = found.owasp.filter((finding) => !rows.some((row) => row.places.some((place) => matches(row)(finding, place))))
    const outdated = rows.flatMap((row) => row.places.filter((place) => !found.owasp.some((finding) => matches(row)(finding, place))))
    expect({ unexplained, outdated }).toEqual({ unexplained: [], outdated: [] })
  })

  it('looks: it finds a server without a secure scheme and an operation without a description', async () => {
    const { openapi, info } = describeApi()
    const wrong = await findingsOf({
      openapi,
      info,
      servers: [{ url: 'http://example.net' }],
      paths: { '/a': { get: { responses: {} } } },
    })
    expect(wrong.openapi.map(({ rule }) => rule)).toContain('operation-description')
    expect(wrong.owasp.map(({ rule }) => rule)).toContain('api8:2023-no-server-http')
  })
})
