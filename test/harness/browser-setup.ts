import type { TestProject } from 'vitest/node'
import { launchBrowser } from './browser.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of the whole run is reached. */
    browserUrl: string
  }
}

/** Starts a browser, once for the whole run: it takes seconds. Every test has a context of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await launchBrowser()
  project.provide('browserUrl', browser.wsEndpoint())
  return () => browser.close()
}
