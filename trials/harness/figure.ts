/** What a figure should be. `exactly` is a promise; the others are measured targets. */
export type Aim = { readonly unit?: string } & (
  | { readonly exactly: number }
  | { readonly exactly?: undefined; readonly atMost: number }
  | { readonly exactly?: undefined; readonly atLeast: number }
)

export interface Figure {
  readonly label: string
  readonly value: number
  readonly aim?: Aim
}

export function isMet({ value, aim }: Figure): boolean {
  if (!aim) return true
  if (aim.exactly !== undefined) return value === aim.exactly
  return 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast
}

/** As people read it: `ready again, slowest: 412 ms (at most 1,000)`. */
export function figureText(figure: Figure): string {
  const { label, value, aim } = figure
  const text = `${label}: ${numberText(value)}${aim?.unit ? ` ${aim.unit}` : ''}`
  if (!aim || aim.exactly === value) return text
  return `${text} (${isMet(figure) ? '' : 'MISSED: '}${aimText(aim)})`
}

function aimText(aim: Aim): string {
  if (aim.exactly !== undefined) return `exactly ${numberText(aim.exactly)}`
  return 'atMost' in aim ? `at most ${numberText(aim.atMost)}` : `at least ${numberText(aim.atLeast)}`
}

export const numberText = (value: number) => value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })
