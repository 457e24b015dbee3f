import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RulesetDefinition } from '@stoplight/spectral-core'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'

// These packages are CommonJS, with exports that an import does not see.
const require = createRequire(import.meta.url)
const { Document, Spectral }: typeof import('@stoplight/spectral-core') = require('@stoplight/spectral-core')
const { Json }: typeof import('@stoplight/spectral-parsers') = require('@stoplight/spectral-parsers')
const { oas }: { readonly oas: RulesetDefinition } = require('@stoplight/spectral-rulesets')
const owasp: RulesetDefinition = require('@stoplight/spectral-owasp-ruleset')

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/openapi.md'), 'utf8')
const patience = { timeout: 180_000 }

interface Finding {
  readonly rule: string
  readonly where: string
}

async function findingsOf(ruleset: RulesetDefinition, document: object): Promise<readonly Finding[]> {
  const spectral = new Spectral()
  spectral.setRuleset(ruleset)
  const found = await spectral.run(new Document(JSON.stringify(document), Json, 'openapi.json'))
  return found.map(({ code, path }) => ({ rule: String(code).replace(/^owasp:/, ''), where: path.join('.') }))
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
  it('finds no error and no warning by its rules for OpenAPI', patience, async () => {
    expect(await findingsOf({ extends: [oas] }, describeApi())).toEqual([])
  })

  it('finds by OWASP’s rules what docs/reference/openapi.md explains, and nothing else', patience, async () => {
    const findings = await findingsOf({ extends: [owasp] }, describeApi())
    const rows = explanations()
    const matches = (row: (typeof rows)[number]) => (finding: Finding, place: RegExp) =>
      finding.rule === row.rule && place.test(finding.where)
    const unexplained = findings.filter((finding) => !rows.some((row) => row.places.some((place) => matches(row)(finding, place))))
    const outdated = rows.flatMap((row) => row.places.filter((place) => !findings.some((finding) => matches(row)(finding, place))))
    expect({ unexplained, outdated }).toEqual({ unexplained: [], outdated: [] })
  })

  it('looks: it finds a server without a secure scheme and an operation without a description', patience, async () => {
    const document = { ...describeApi(), servers: [{ url: 'http://example.net' }], paths: { '/a': { get: { responses: {} } } } }
    const byRules = await findingsOf({ extends: [oas] }, document)
    expect(byRules.map(({ rule }) => rule)).toContain('operation-description')
    expect((await findingsOf({ extends: [owasp] }, document)).map(({ rule }) => rule)).toContain('api8:2023-no-server-http')
  })
})
