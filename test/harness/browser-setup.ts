import chromium from '@sparticuz/chromium'
import { browserPath, comesFromNpm } from './browser.ts'

/** Unpacks the browser once, before several files start it at the same moment. */
export async function setup(): Promise<void> {
  if (comesFromNpm) await chromium.executablePath()
  else browserPath()
}
