import { useState } from 'preact/hooks'
import { t } from '../i18n/catalogue.ts'
import { otherZone, ownZone, timeOf, wallTime } from '../i18n/time-zone.ts'
import { verso } from '../route/router.ts'
import { TextField } from './form.tsx'
import { useLoaded } from './loading.tsx'

/** What the project says of its site. */
export const useSite = () => useLoaded('site', (stop) => verso().request('GET /v1/project', {}, stop)).value

interface TimeFieldProps {
  readonly value: Date
  onInput(time: Date): void
}

/** A time to come, in one's own time zone and, where it is another, in that of the site. One writes in either. */
export function TimeField({ value, onInput }: TimeFieldProps) {
  const zone = useSite()?.timeZone
  const site = zone && otherZone(zone)
  // What is typed stays as it is, even a time that clocks leave out.
  const [typed, setTyped] = useState<{ readonly zone: string; readonly text: string }>()
  const field = (label: string, zone: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={typed?.zone === zone ? typed.text : wallTime(value, zone)}
      onInput={(text) => {
        const time = timeOf(text, zone)
        if (Number.isNaN(time.getTime())) return
        setTyped({ zone, text })
        onInput(time)
      }}
      required
    />
  )
  return (
    <div class="times">
      {field(t(site ? 'time.own' : 'time.only', { zone: ownZone }), ownZone)}
      {site && field(t('time.site', { zone: site }), site)}
      {value.getTime() <= Date.now() && <p class="note error">{t('time.past')}</p>}
    </div>
  )
}
