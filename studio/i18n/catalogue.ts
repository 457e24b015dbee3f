import type en from './en.json'

/** A message is a text, or one for each plural form that its language has. `{name}` stands for a value. */
export type Catalogue = { readonly [S in keyof typeof en]: { readonly [K in keyof (typeof en)[S]]: string | Plural } }
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** `section.name`, such as `posts.title`. */
export type MessageKey = { [S in keyof Catalogue & string]: `${S}.${keyof Catalogue[S] & string}` }[keyof Catalogue]

/** Another language is another file, and a line here. */
const languages = {
  en: { name: 'English', load: (): Promise<{ readonly default: Catalogue }> => import('./en.json') },
  de: { name: 'Deutsch', load: (): Promise<{ readonly default: Catalogue }> => import('./de.json') },
}
export type Language = keyof typeof languages

export const languageNames = Object.entries(languages).map(([code, { name }]) => ({ code: code as Language, name }))

const storageKey = 'verso.language'
const isLanguage = (code: string | null | undefined): code is Language => code != null && code in languages

/** The language that was chosen here, else the first of the browser's that there is. */
export function language(): Language {
  const chosen = localStorage.getItem(storageKey)
  const preferred = navigator.languages.map((code) => code.split('-')[0]).find(isLanguage)
  return isLanguage(chosen) ? chosen : (preferred ?? 'en')
}

/** Takes effect with the next load: every text is then in one language. */
export function chooseLanguage(code: Language): void {
  localStorage.setItem(storageKey, code)
  location.reload()
}

const loaded: { messages?: Readonly<Record<string, Readonly<Record<string, string | Plural>>>>; plurals?: Intl.PluralRules } = {}

/** To be awaited before the first text is shown. */
export async function loadCatalogue(): Promise<void> {
  const code = language()
  const { default: messages } = await languages[code].load()
  Object.assign(loaded, { messages, plurals: new Intl.PluralRules(code) })
  document.documentElement.lang = code
}

/** The text of a message, with its values. `count` chooses the plural form. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  const [section = '', name = ''] = key.split('.')
  const message = loaded.messages?.[section]?.[name] ?? key
  const form = typeof message === 'string' ? message : (message[loaded.plurals?.select(Number(values.count)) ?? 'other'] ?? message.other)
  return form.replace(/\{(\w+)\}/g, (_, value: string) => {
    const given = values[value]
    return typeof given === 'number' ? formatNumber(given) : (given ?? '')
  })
}

/** The language with the region that the browser names: dates are written in many ways in English. */
function locale(): string {
  // Some browsers on Linux name a language in a way that `Intl` refuses: `en-US@posix`.
  return navigator.languages.find((code) => code.split('-')[0] === language() && /^[\w-]+$/.test(code)) ?? language()
}

/** Making a formatter takes longer than drawing a row of a list, so each is made once. */
const made = new Map<string, Intl.NumberFormat | Intl.RelativeTimeFormat | Intl.DateTimeFormat>()

/** What `make` makes, which is made once for a name. */
export function once<F extends Intl.NumberFormat | Intl.RelativeTimeFormat | Intl.DateTimeFormat>(name: string, make: () => F): F {
  const known = made.get(name) ?? make()
  made.set(name, known)
  return known as F
}

export function formatNumber(value: number): string {
  return once('number', () => new Intl.NumberFormat(locale())).format(value)
}

const forms = {
  day: { dateStyle: 'medium' },
  time: { dateStyle: 'medium', timeStyle: 'short' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
  date: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'short' },
  clock: { timeStyle: 'short' },
} as const

/** `day`: 3 May 2026. `time`: with the time of day. `long`: with the weekday and the time. */
export function formatDate(instant: string | Date, form: keyof typeof forms = 'day', timeZone?: string): string {
  const options = { ...forms[form], ...(timeZone && { timeZone }) }
  return once(`${form} ${timeZone}`, () => new Intl.DateTimeFormat(locale(), options)).format(new Date(instant))
}

/** The day that a week begins with: 0 for Sunday. */
export function firstWeekday(): number {
  const known: Intl.Locale & { getWeekInfo?(): { readonly firstDay: number } } = new Intl.Locale(locale())
  return (known.getWeekInfo?.().firstDay ?? 1) % 7
}

/** The seconds in a unit, and from how many on the next one is named. */
const units = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 7],
] as const

/** Such as “5 minutes ago” for what is near, else the day. */
export function formatSince(instant: string, now = Date.now()): string {
  for (const [unit, seconds, end] of units) {
    const count = Math.round((Date.parse(instant) - now) / 1_000 / seconds)
    if (Math.abs(count) < end) return once('since', () => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })).format(count, unit)
  }
  return formatDate(instant)
}
