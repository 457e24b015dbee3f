import { useState } from 'preact/hooks'
import type { EditFields } from '../../../api/edits.ts'
import { t } from '../../../i18n/catalogue.ts'
import { Button } from '../../../ui/controls.tsx'
import { Dialog } from '../../../ui/layers.tsx'
import type { Draft } from './draft.ts'
import type { Conflict, Dispute } from './merge.ts'

type Side = 'mine' | 'theirs' | 'both'

/** Both versions of what two have changed, side by side, to choose from. */
export function Choice({ draft, dispute }: { readonly draft: Draft; readonly dispute: Dispute }) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const choose = (key: string, side: Side) => setSides((before) => ({ ...before, [key]: side }))
  const settle = () => {
    const chosen = dispute.conflicts.map((conflict) => [conflict.field, chosenValue(conflict, sides)])
    draft.settle(Object.fromEntries(chosen) as Partial<EditFields>)
  }
  return (
    <Dialog kind="wide" title={t('editor.conflict')} onClose={() => undefined}>
      <p class="door-note">{t(dispute.isPost ? 'editor.conflictPost' : 'editor.conflictEdit')}</p>
      {dispute.conflicts.map((conflict) => (
        <section key={conflict.field} class="choice">
          <h3 class="label">{t(`editor.field_${conflict.field}`)}</h3>
          {(conflict.parts ?? [{ mine: shown(conflict.mine), theirs: shown(conflict.theirs) }]).map((part, i) => {
            const key = `${conflict.field}${i}`
            if ('text' in part)
              return (
                <p key={key} class="choice-same">
                  {shortened(part.text)}
                </p>
              )
            return (
              <fieldset key={key} class="choice-sides">
                <legend class="hidden">{t(`editor.field_${conflict.field}`)}</legend>
                {(['mine', 'theirs', ...(conflict.parts ? (['both'] as const) : [])] as const).map((side) => (
                  <label key={side}>
                    <span>
                      <input type="radio" name={key} checked={(sides[key] ?? 'mine') === side} onChange={() => choose(key, side)} />
                      {t(`editor.${side}`)}
                    </span>
                    {side !== 'both' && <pre>{part[side] || t('editor.nothing')}</pre>}
                  </label>
                ))}
              </fieldset>
            )
          })}
        </section>
      ))}
      <footer class="form-foot">
        <Button kind="primary" label={t('editor.useChosen')} onClick={settle} />
      </footer>
    </Dialog>
  )
}

const shown = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? '' : Array.isArray(value) ? value.join(', ') : JSON.stringify(value, null, 1)

/** Enough of what is the same to see where one is. */
function shortened(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > 160 ? `${trimmed.slice(0, 70)} … ${trimmed.slice(-70)}` : trimmed
}

function chosenValue({ field, mine, theirs, parts }: Conflict, sides: Readonly<Record<string, Side>>): unknown {
  if (!parts) return sides[`${field}0`] === 'theirs' ? theirs : mine
  const text = parts.map((part, i) => {
    if ('text' in part) return part.text
    const side = sides[`${field}${i}`] ?? 'mine'
    return side === 'both' ? apart(part.mine, part.theirs) : part[side]
  })
  return text.join('')
}

/** Two versions of a paragraph become two paragraphs. */
function apart(mine: string, theirs: string): string {
  return /\n\s*\n$/.test(mine) || mine === '' ? mine + theirs : `${mine.trimEnd()}\n\n${theirs}`
}
