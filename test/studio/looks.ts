import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

/** Both themes at both widths. */
const looks = [
  { colorScheme: 'light', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 1280, height: 800 },
  { colorScheme: 'dark', width: 360, height: 740 },
  { colorScheme: 'light', width: 360, height: 740 },
] as const
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds against WCAG 2.2, level AA, with the first elements of each kind. */
async function violationsOn(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  // A bar over a list hides a part of some row, wherever one has scrolled to, but at the end, where it stands below them.
  await page.evaluate(() => document.querySelector('.selection') && scrollTo(0, document.documentElement.scrollHeight))
  const { violations } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { readonly axe: typeof axe }).axe.run(document, {
        runOnly: { type: 'tag', values: [...values] },
        // AAA: not asked for.
        rules: { 'color-contrast-enhanced': { enabled: false } },
        resultTypes: ['violations'],
        // The frame of the preview runs no script, axe neither.
        iframes: false,
      }),
    tags,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** What cannot be reached, is not seen to have the focus, comes out of order, or is smaller than 24 px. */
function faultsOfControls(): readonly string[] {
  const within = document.querySelector('dialog[open]') ?? document.body
  const tabbable = 'a[href], button, input, select, textarea, summary, [tabindex="0"], .desk-text'
  const controls = [...within.querySelectorAll<HTMLElement>(tabbable)].filter(
    (element) => !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true }),
  )
  const nameOf = (element: Element) => element.outerHTML.slice(0, 120)
  const faults = controls.filter(({ tabIndex }) => tabIndex > 0).map((element) => `has an order of its own: ${nameOf(element)}`)
  let before: DOMRect | undefined
  for (const element of controls) {
    // A label is a part of its control, and so is all that an element lies over.
    const isOver = getComputedStyle(element, '::after').position === 'absolute'
    const target =
      (element.matches('[type=checkbox], [type=radio]') && element.closest('label')) || (isOver && element.offsetParent) || element
    element.focus()
    const box = target.getBoundingClientRect()
    const style = getComputedStyle(element)
    const isSkip = style.clipPath !== 'none'
    const isInText = style.display === 'inline' && element.parentElement?.matches('p')
    if (!isSkip && !isInText && (box.width < 23.9 || box.height < 23.9))
      faults.push(`is ${box.width.toFixed()} × ${box.height.toFixed()} px: ${nameOf(element)}`)
    if (document.activeElement !== element) faults.push(`takes no focus: ${nameOf(element)}`)
    const isRinged = (each: Element | null, levels = 4): boolean =>
      each !== null && levels > 0 && (getComputedStyle(each).outlineStyle !== 'none' || isRinged(each.parentElement, levels - 1))
    // Where one writes the cursor shows it.
    const hasCursor = element.matches('textarea, input[type=text], .desk-text')
    if (!hasCursor && !isRinged(element)) faults.push(`does not show its focus: ${nameOf(element)}`)
    if (before && box.bottom <= before.top && box.right <= before.left) faults.push(`comes after what stands below it: ${nameOf(element)}`)
    before = box
  }
  return faults
}

/** What moves though the person wants less of that. */
function movingElements(): readonly string[] {
  const isMoving = (durations: string) => durations.split(',').some((each) => Number.parseFloat(each) > 0)
  return [...document.querySelectorAll('*')]
    .filter((element) => {
      const { transitionDuration, animationDuration } = getComputedStyle(element)
      return isMoving(transitionDuration) || isMoving(animationDuration)
    })
    .map((element) => element.outerHTML.slice(0, 120))
}

/** What stands beyond the edge of the window, where nothing scrolls to it. */
function elementsOutside(): readonly string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  return [...document.querySelectorAll('a, button, input, select, textarea, label, h1, h2, p')]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element))
    .map((element) => element.outerHTML.slice(0, 120))
}

const frame = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** The size of text that a person has set in the browser: 16 px unless another. */
const setTextSize = (devtools: CDPSession, standard: number) =>
  devtools.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })

/** Everything that is wrong with how the page is now, in any theme, at any width, with large text, and by keyboard. */
export async function faultsOn(page: Page, devtools: CDPSession): Promise<readonly string[]> {
  const faults: string[] = []
  const add = (where: string, found: readonly string[]) => void faults.push(...found.map((fault) => `${where}: ${fault}`))
  const sideways = async () => {
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    return [...(isWider ? ['scrolls sideways'] : []), ...(await page.evaluate(elementsOutside))]
  }
  for (const { colorScheme, width, height } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await frame(page)
    add(`${colorScheme} ${width}`, await violationsOn(page))
    if (colorScheme === 'dark') continue
    add(`${width}`, await sideways())
    // Whoever comes by keyboard sees where the focus is.
    await page.keyboard.press('Tab')
    add(`${width}`, await page.evaluate(faultsOfControls))
  }
  // 320 px are a window of 1280 at 400 %.
  for (const { name, width, textSize } of [
    { name: '320', width: 320, textSize: 16 },
    { name: '360 with text at 200 %', width: 360, textSize: 32 },
    { name: '1280 with text at 200 %', width: 1280, textSize: 32 },
  ]) {
    await page.setViewportSize({ width, height: 800 })
    await setTextSize(devtools, textSize)
    await frame(page)
    add(name, await sideways())
  }
  await setTextSize(devtools, 16)
  add('reduced motion', await page.evaluate(movingElements))
  return faults
}
