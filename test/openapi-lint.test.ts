import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { describeApi } from '../src/all-routes.ts'

/** The linter's recommended rules, and what differs from them here, each with its reason. */
const ruleset = {
  extends: ['recommended'],
  rules: {},
}

it('the OpenAPI document passes a linter without an error or a warning', async () => {
  const config = await createConfig(ruleset)
  const source = JSON.stringify(describeApi(new URL('https://content.test.net')))
  const findings = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  expect(findings.map(({ ruleId, severity, message, location }) => ({ severity, ruleId, message, at: location[0]?.pointer }))).toEqual([])
})
