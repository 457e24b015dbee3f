import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/app/routes.ts'

/** The linter's recommended rules, none of them switched off. What has to differ from them one day stands here with its reason. */
const ruleset = { extends: ['recommended'] }

async function lint(document: unknown): Promise<readonly string[]> {
  const config = await createConfig(ruleset)
  const findings = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
  return findings.map(({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer})`)
}

describe('a linter of OpenAPI documents', () => {
  it('finds no error and no warning, with a public address and without', async () => {
    expect(await lint(describeApi())).toEqual([])
    expect(await lint(describeApi(new URL('https://content.test.net/verso/')))).toEqual([])
  })

  it('looks: it finds what is wrong', async () => {
    const document = describeApi()
    const { license: _, ...info } = document.info
    expect(await lint({ ...document, info })).toEqual([expect.stringContaining('info-license')])
    expect(await lint({ ...document, paths: { '/v1/posts': { get: { responses: {} } } } })).not.toEqual([])
  })
})
