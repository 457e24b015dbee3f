import type { EditFields } from '../../../api/edits.ts'
import { t } from '../../../i18n/catalogue.ts'
import { Form } from '../../../ui/form.tsx'
import { Dialog } from '../../../ui/layers.tsx'
import type { Draft } from './draft.ts'
import type { Conflict, Dispute } from './merge.ts'

/** Both versions of what two have changed, side by side, to choose from. */
export function Choice({ draft, dispute }: { readonly draft: Draft; readonly dispute: Dispute }) {
  const settle = async (sides: FormData) => {
    const chosen = dispute.conflicts.map((conflict) => [conflict.field, chosenValue(conflict, sides)])
    draft.settle(dispute, Object.fromEntries(chosen) as Partial<EditFields>)
  }
  return (
    <Dialog kind="wide" title={t('editor.conflict')} onClose={false}>
      <p class="door-note">{t(dispute.isPost ? 'editor.conflictPost' : 'editor.conflictEdit')}</p>
      <Form submit={t('editor.useChosen')} onSubmit={settle}>
        {dispute.conflicts.map((conflict) => (
          <Sides key={conflict.field} conflict={conflict} />
        ))}
      </Form>
    </Dialog>
  )
}

function Sides({ conflict: { field, mine, theirs, parts } }: { readonly conflict: Conflict }) {
  const label = t(`editor.field_${field}`)
  const offered = parts ? (['mine', 'theirs', 'both'] as const) : (['mine', 'theirs'] as const)
  return (
    <section class="choice">
      <h3 class="label">{label}</h3>
      {(parts ?? [{ mine: shown(mine), theirs: shown(theirs) }]).map((part, i) => {
        const name = `${field}${i}`
        if ('text' in part) return <p class="choice-same">{shortened(part.text)}</p>
        return (
          <fieldset key={name} class="choice-sides">
            <legend class="hidden">{label}</legend>
            {offered.map((side) => (
              <label key={side}>
                <span>
                  <input type="radio" name={name} value={side} defaultChecked={side === 'mine'} />
                  {t(`editor.${side}`)}
                </span>
                {side !== 'both' && <pre>{part[side] || t('editor.nothing')}</pre>}
              </label>
            ))}
          </fieldset>
        )
      })}
    </section>
  )
}

const shown = (value: unknown) =>
  typeof value === 'string' ? value : value === null ? '' : Array.isArray(value) ? value.join(', ') : JSON.stringify(value, null, 1)

/** Enough of what is the same to see where one is. */
function shortened(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > 160 ? `${trimmed.slice(0, 70)} … ${trimmed.slice(-70)}` : trimmed
}

function chosenValue({ field, mine, theirs, parts }: Conflict, sides: FormData): unknown {
  if (!parts) return sides.get(`${field}0`) === 'theirs' ? theirs : mine
  const text = parts.map((part, i) => {
    if ('text' in part) return part.text
    const side = sides.get(`${field}${i}`)
    return side === 'both' ? apart(part.mine, part.theirs) : side === 'theirs' ? part.theirs : part.mine
  })
  return text.join('')
}

/** Two versions of a paragraph become two paragraphs. */
function apart(mine: string, theirs: string): string {
  const lines = mine.slice(mine.trimEnd().length).split('\n')
  return (lines.length > 2 && lines.at(-1) === '') || mine === '' ? mine + theirs : `${mine.trimEnd()}\n\n${theirs}`
}
